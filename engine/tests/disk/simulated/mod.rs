//! What the simulated disk promises of itself: which disks a crash can leave, and that it leaves all of them and no other.

mod acts;
mod bytes;
mod counts;
mod cuts;
mod failed;
mod fates;
mod faults;
mod halves;
mod hostile;
mod mapped;
mod moments;
mod names;
mod same;
mod whatever;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::disk::{Directory, EntryKind, File, Replace, write_all_at};

use crate::read;

/// Disks that are made of one, where each possible one is to be found.
const SEEDS: u64 = 3000;

/// A disk, and its root.
fn disk() -> (SimulatedDisk, Arc<dyn Directory>) {
    let disk = SimulatedDisk::new();
    let root = disk.root();
    (disk, root)
}

/// A file with a durable name and these durable bytes.
fn synced(root: &dyn Directory, name: &str, bytes: &[u8]) -> Arc<dyn File> {
    let file = root.create(name).expect("free");
    put(&*file, bytes, 0);
    file.sync_data().expect("a sync");
    root.sync().expect("a sync");
    file
}

fn put(file: &dyn File, bytes: &[u8], position: u64) {
    write_all_at(file, bytes, position).expect("room");
}

fn rename(root: &dyn Directory, from: &str, to: &str) {
    root.rename(from, root, to, Replace::Yes).expect("a rename");
}

/// What is seen of all disks that may be left.
fn seen<T: Ord>(disk: &SimulatedDisk, look: impl Fn(&dyn Directory) -> T) -> BTreeSet<T> {
    (0..SEEDS)
        .map(|seed| look(&*disk.after(Model::PowerCut, seed).root()))
        .collect()
}

/// All bytes of a file as runs of one byte.
fn runs(bytes: &[u8]) -> Vec<(u8, usize)> {
    let mut runs: Vec<(u8, usize)> = Vec::new();
    for &byte in bytes {
        match runs.last_mut() {
            Some((last, count)) if *last == byte => *count += 1,
            _ => runs.push((byte, 1)),
        }
    }
    runs
}

/// Everything below a directory: `name=bytes` of files, `name/` of directories.
fn tree(directory: &dyn Directory) -> Vec<String> {
    let mut tree = Vec::new();
    for entry in directory.entries().expect("it lists") {
        let name = entry.name.into_string().expect("UTF-8");
        if entry.kind == EntryKind::Directory {
            let inner = directory.directory(&name).expect("it is there");
            tree.push(format!("{name}/"));
            tree.extend(self::tree(&*inner).iter().map(|it| format!("{name}/{it}")));
        } else {
            let bytes = String::from_utf8(read(directory, &name)).expect("UTF-8");
            tree.push(format!("{name}={bytes}"));
        }
    }
    tree.sort();
    tree
}

/// The set of these trees.
fn trees<const N: usize>(trees: [&[&str]; N]) -> BTreeSet<Vec<String>> {
    let owned = |tree: &[&str]| tree.iter().map(|&it| it.to_owned()).collect();
    trees.into_iter().map(owned).collect()
}

/// Lets the next call fail.
fn fail_next(disk: &SimulatedDisk, errno: i32) {
    disk.arm(Some(Fault::Fails {
        at: disk.calls(),
        errno,
        for_good: false,
    }));
}

fn errno<T>(result: io::Result<T>) -> Option<i32> {
    result.err().and_then(|error| error.raw_os_error())
}

const EINTR: i32 = 4;
const EIO: i32 = 5;
const EACCES: i32 = 13;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
