//! Short scripts that together do everything that changes a log.

use std::str::FromStr;

use super::Script;

/// All of them.
///
/// # Panics
/// When the text of one is no script.
#[must_use]
pub fn scripts() -> Vec<Script> {
    parsed(include_str!("scripts.txt"))
}

/// The scripts of a text, in which a line of three dashes stands between two of them.
pub(crate) fn parsed<S: FromStr<Err = String>>(text: &str) -> Vec<S> {
    let parse = |text: &str| {
        let script = text.parse();
        script.unwrap_or_else(|error| panic!("{error} in\n{text}"))
    };
    text.split("\n---\n").map(parse).collect()
}
