//! What a test found: all of it, not only the first.

use std::fmt::Display;

/// Problems of one test. It fails when it ends with any.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<String>);

/// More than this many are not read by anybody.
const MOST: usize = 40;

impl Problems {
    pub fn add(&mut self, problem: impl Display) {
        self.0.push(problem.to_string());
    }

    /// Notes what is wrong, if the result is an error.
    pub fn check<T>(&mut self, about: impl Display, result: Result<T, impl Display>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(format!("{about}: {error}"));
                None
            }
        }
    }

    /// Fails the test if there is any.
    pub fn report(self) {
        let Self(problems) = self;
        let count = problems.len();
        let shown: Vec<String> = problems.into_iter().take(MOST).collect();
        assert!(count == 0, "{count} problems:\n  {}\n", shown.join("\n  "));
    }
}
