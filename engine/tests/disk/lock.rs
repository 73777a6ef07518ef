//! Locks, within a process and between two.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, locked};
use tempfile::TempDir;

use crate::on_each;

#[test]
fn a_lock_keeps_a_second_one_out() {
    on_each(|disk, directory| {
        let inner = directory.create_directory("inner").expect("free");
        let lock = inner.lock().expect("nobody has it");
        let again = directory.directory("inner").expect("it is there");
        let refused = again.lock().expect_err("locked");
        let by = locked(&refused).unwrap_or_else(|| panic!("{disk}: {refused}"));
        if let Some(holder) = by.holder {
            assert_eq!(holder, std::process::id(), "{disk}");
        }
        let _other = directory.lock().expect("a lock is of one directory");
        drop(lock);
        let _lock = again.lock().expect("released");
    });
}

/// Not a test by itself: the other process of the next one.
#[test]
fn hold_a_lock() {
    let Ok(path) = std::env::var("ONDISK_TEST_LOCK") else {
        return;
    };
    let directory = RealDirectory::open(path).expect("it opens");
    let _lock = directory.lock().expect("nobody has it");
    // The test harness has begun a line.
    io::stdout().write_all(b"\nlocked\n").expect("a pipe");
    io::stdout().flush().expect("a pipe");
    // Until the other end is closed, or this process is killed.
    let _end = io::stdin().read_line(&mut String::new());
}

#[test]
fn a_lock_of_another_process_ends_with_it() {
    let place = TempDir::new().expect("a directory");
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["lock::hold_a_lock", "--exact", "--nocapture"])
        .env("ONDISK_TEST_LOCK", place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let said = lines.map_while(Result::ok).any(|line| line == "locked");
    assert!(said, "the other process has the lock");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    let refused = directory.lock().expect_err("locked");
    let by = locked(&refused).expect("because of that");
    if let Some(holder) = by.holder {
        assert_eq!(holder, child.id());
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let _lock = directory.lock().expect("the kernel released it");
}

#[test]
fn a_lock_is_of_what_has_the_path() {
    let place = TempDir::new().expect("a directory");
    let path = place.path().join("shard");
    fs::create_dir(&path).expect("a directory");
    let directory = RealDirectory::open(&path).expect("it opens");
    fs::rename(&path, place.path().join("moved")).expect("moved");
    assert!(directory.lock().is_err(), "nothing has the path");
    fs::create_dir(&path).expect("a directory");
    let refused = directory
        .lock()
        .expect_err("another directory has the path");
    assert!(locked(&refused).is_none(), "{refused}");
    assert!(
        refused.to_string().contains("another directory"),
        "{refused}"
    );
    let _lock = reopened(&path).lock().expect("the other one is free");
    let _lock = reopened(&place.path().join("moved"))
        .lock()
        .expect("a refused lock is none");
}

fn reopened(path: &Path) -> Arc<dyn Directory> {
    RealDirectory::open(path).expect("it opens")
}
