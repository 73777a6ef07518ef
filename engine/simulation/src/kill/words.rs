//! Reading a line word by word.

use std::str::FromStr;

/// The words of a line, with single spaces between them.
#[derive(Debug)]
pub struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// Those of `line`.
    #[must_use]
    pub fn of(line: &'a str) -> Self {
        Self(line.trim_end())
    }

    /// The next one.
    pub fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let (word, rest) = self.0.split_once(' ').unwrap_or((self.0, ""));
        self.0 = rest;
        Some(word)
    }

    /// The next one, which is a number.
    pub fn number<N: FromStr>(&mut self) -> Option<N> {
        self.next()?.parse().ok()
    }

    /// All that are left, which are numbers.
    pub fn numbers<N: FromStr>(&mut self) -> Option<Vec<N>> {
        std::iter::from_fn(|| self.next())
            .map(|word| word.parse().ok())
            .collect()
    }

    /// What is left, as it is.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        self.0
    }
}
