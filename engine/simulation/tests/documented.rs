//! `docs/durability.md` speaks of every promise, and of every test of a known failure.

use std::fs;
use std::path::{Path, PathBuf};

use ondisk_engine::planted::Planted;
use ondisk_simulation::promise::Promise;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    let path: PathBuf = package().join("../../docs/durability.md");
    fs::read_to_string(path).expect("the page")
}

/// The rows of the table below a heading, without its head.
fn rows(page: &str, heading: &str) -> Vec<String> {
    let (_, below) = page.split_once(heading).expect("the heading");
    let table = below.lines().skip_while(|line| !line.starts_with("|--"));
    let rows = table.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

#[test]
fn every_promise_has_a_row() {
    let rows = rows(&page(), "## What is promised");
    let rows: Vec<_> = rows
        .iter()
        .map(|row| row.split('`').nth(1).unwrap_or_default())
        .collect();
    let promises: Vec<_> = Promise::ALL
        .iter()
        .map(|promise| format!("{promise:?}"))
        .collect();
    assert_eq!(rows, promises);
}

#[test]
fn every_planted_mistake_has_a_row() {
    assert_eq!(
        rows(&page(), "## The tests can fail").len(),
        Planted::ALL.len()
    );
}

#[test]
fn every_known_failure_has_a_row_that_names_its_tests() {
    let rows = rows(&page(), "## Failures that other systems are known for");
    assert_eq!(rows.len(), 20);
    for row in rows {
        let module = row.rsplit('`').nth(1).unwrap_or_default();
        let path = package().join(format!("tests/known/{module}.rs"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            text.contains("#[test]"),
            "{row}: no tests in {}",
            path.display()
        );
    }
}
