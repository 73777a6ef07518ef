//! The disk traits, held against the same expectations on the operating system's files, in memory and on the simulated disk;
//! what only the first has: links, FIFOs, and locks between processes; and what only the last has: crashes and faults.

mod each;
mod lock;
mod simulated;
mod system;

use std::io;
use std::sync::Arc;

use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{Directory, File, read_exact_at, write_all_at};
use tempfile::TempDir;

/// Does the same to an empty directory of each kind.
pub(crate) fn on_each(test: impl Fn(&str, &dyn Directory)) {
    let place = TempDir::new().expect("a directory");
    test(
        "real",
        &*RealDirectory::open(place.path()).expect("it opens"),
    );
    test("memory", &MemoryDirectory::new("memory"));
    test("simulated", &*SimulatedDisk::new().root());
}

pub(crate) fn write(directory: &dyn Directory, name: &str, bytes: &[u8]) -> Arc<dyn File> {
    let file = directory.create(name).expect("the name is free");
    write_all_at(&*file, bytes, 0).expect("there is room");
    file
}

pub(crate) fn read(directory: &dyn Directory, name: &str) -> Vec<u8> {
    let file = directory.file(name).expect("it is there");
    let len = file.stat().expect("it is open").len;
    let mut bytes = vec![0; usize::try_from(len).expect("small")];
    read_exact_at(&*file, &mut bytes, 0).expect("it can be read");
    bytes
}

pub(crate) fn names(directory: &dyn Directory) -> Vec<String> {
    let entries = directory.entries().expect("it lists");
    let mut names: Vec<String> = entries
        .into_iter()
        .map(|entry| entry.name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub(crate) fn kind<T>(result: io::Result<T>) -> io::ErrorKind {
    result.map(drop).expect_err("refused").kind()
}
