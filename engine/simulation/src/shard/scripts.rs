//! Short scripts that together do everything that changes a log.

use super::Script;

/// All of them.
///
/// # Panics
/// When the text of one is no script.
#[must_use]
pub fn scripts() -> Vec<Script> {
    let parse = |text: &str| -> Script {
        let script = text.parse();
        script.unwrap_or_else(|error| panic!("{error} in\n{text}"))
    };
    include_str!("scripts.txt")
        .split("\n---\n")
        .map(parse)
        .collect()
}
