//! Files that are made from definitions: compared, or written anew with `UPDATE=1`.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs, io};

use crate::problems::Problems;

/// Whether files are to be written anew.
pub(crate) fn updating() -> bool {
    env::var_os("UPDATE").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Holds a file to what it should be.
pub(crate) fn hold(path: &Path, right: &[u8], problems: &mut Problems) {
    match fs::read(path) {
        Ok(found) if found == right => return,
        _ if updating() => {
            problems.check(path.display(), write(path, right));
            return;
        }
        Ok(_) => problems.add(format!("{} is stale", path.display())),
        Err(error) => problems.add(format!("{}: {error}", path.display())),
    }
    problems.add("run with UPDATE=1 to write it");
}

/// Holds the files of a directory that have this ending to these names: others are left over.
pub(crate) fn hold_names(
    directory: &Path,
    ending: &str,
    right: &BTreeSet<String>,
    problems: &mut Problems,
) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(ending) else {
            continue;
        };
        if right.contains(stem) {
            continue;
        }
        if updating() {
            problems.check(entry.path().display(), fs::remove_file(entry.path()));
        } else {
            problems.add(format!("{} belongs to nothing", entry.path().display()));
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, bytes)
}
