//! What three kinds become, as it would be written by hand: a change of generated code is read before it is made.

use std::path::Path;

#[track_caller]
fn assert_fresh(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/expanded");
    let definition = std::fs::read_to_string(folder.join(format!("{name}.in.rs"))).unwrap();
    let expanded = super::expand(&definition);
    let path = folder.join(format!("{name}.rs"));
    if std::env::var_os("UPDATE").is_some_and(|update| update == "1") {
        std::fs::write(&path, &expanded).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == expanded,
        "{} is stale: look at what UPDATE=1 makes of it",
        path.display()
    );
}

#[test]
fn segment_header() {
    assert_fresh("segment_header");
}

#[test]
fn record() {
    assert_fresh("record");
}

#[test]
fn manifest() {
    assert_fresh("manifest");
}
