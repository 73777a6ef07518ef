//! The directories that tests look at.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

/// A fixture and what is expected of it.
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
    pub(crate) expected: Value,
}

/// The folder of the fixtures.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/fixtures/felix")
}

/// The directory of one fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    let directory = if name.ends_with("data-root") || name.ends_with("root-strays") {
        "root"
    } else {
        "shard"
    };
    folder().join(name).join(directory)
}

/// All fixtures, sorted.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    for group in ["real", "clean", "damaged"] {
        for entry in fs::read_dir(folder().join(group)).expect("the fixtures are in the repository")
        {
            let path = entry.expect("a fixture").path();
            let text = fs::read_to_string(path.join("expected.json"))
                .expect("each fixture has an expectation");
            let expected: Value = serde_json::from_str(&text).expect("an expectation is JSON");
            let directory = path.join(
                expected["directory"]
                    .as_str()
                    .expect("the directory is named"),
            );
            let name = format!(
                "{group}/{}",
                expected["name"].as_str().expect("a fixture has a name")
            );
            found.push(Fixture {
                name,
                directory,
                expected,
            });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// A copy of a directory that a test may change.
pub(crate) fn copy(from: &Path) -> TempDir {
    let to = tempfile::tempdir().expect("a folder for the copy");
    copy_into(from, to.path());
    to
}

/// Copies what is in a directory into another one.
pub(crate) fn copy_into(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the original can be listed") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            fs::create_dir_all(&target).expect("a folder in the copy");
            copy_into(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file in the copy");
        }
    }
}
