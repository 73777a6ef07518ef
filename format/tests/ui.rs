//! What the compiler says about wrong definitions, word for word. With fewer features it says less about a type that is
//! no kind, so the words are those with all of them. `TRYBUILD=overwrite` writes them anew.
#![cfg(all(feature = "arbitrary", feature = "felix"))]

use std::process::Command;

/// The words of the compiler change with its version, so they are pinned for one.
const PINNED: &str = "rustc 1.95.";

#[test]
fn wrong_definitions() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().unwrap();
    if !version.stdout.starts_with(PINNED.as_bytes()) {
        // Nothing is lost: the messages themselves are tested where they are made.
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
