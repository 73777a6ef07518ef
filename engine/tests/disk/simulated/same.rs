//! Without faults it is a disk like any other.

use std::io;
use std::sync::Arc;

use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{Directory, File, Replace, read_exact_at};
use proptest::prelude::*;
use tempfile::TempDir;

#[derive(Clone, Debug)]
pub enum Op {
    Create(usize, usize),
    CreateDirectory(usize, usize),
    Open(usize, usize),
    Close(usize),
    Write(usize, u8, usize, u64),
    SetLen(usize, u64),
    Sync(usize),
    Rename(usize, usize, usize, usize, bool),
    Unlink(usize, usize),
    RemoveDirectory(usize, usize),
    SyncDirectory(usize),
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

pub fn op() -> impl Strategy<Value = Op> {
    let which = 0..8_usize;
    let name = 0..NAMES.len();
    let place = (which.clone(), name);
    let len = prop_oneof![0..20_u64, 500..530_u64, 4090..4100_u64, 0..10_000_u64];
    prop_oneof![
        4 => place.clone().prop_map(|(at, name)| Op::Create(at, name)),
        2 => place.clone().prop_map(|(at, name)| Op::CreateDirectory(at, name)),
        2 => place.clone().prop_map(|(at, name)| Op::Open(at, name)),
        1 => which.clone().prop_map(Op::Close),
        8 => (which.clone(), any::<u8>(), 1..2000_usize, len.clone())
            .prop_map(|(file, byte, count, at)| Op::Write(file, byte, count, at)),
        3 => (which.clone(), len).prop_map(|(file, len)| Op::SetLen(file, len)),
        2 => which.clone().prop_map(Op::Sync),
        4 => (place.clone(), place.clone(), any::<bool>())
            .prop_map(|(from, to, replace)| Op::Rename(from.0, from.1, to.0, to.1, replace)),
        2 => place.clone().prop_map(|(at, name)| Op::Unlink(at, name)),
        1 => place.prop_map(|(at, name)| Op::RemoveDirectory(at, name)),
        2 => which.prop_map(Op::SyncDirectory),
    ]
}

/// A disk, and what is open of it.
pub struct Side {
    pub root: Arc<dyn Directory>,
    files: Vec<Arc<dyn File>>,
}

impl Side {
    pub fn new(root: Arc<dyn Directory>) -> Self {
        let files = Vec::new();
        Self { root, files }
    }

    /// One of the directories that there are, the root too.
    pub fn directory(&self, which: usize) -> Arc<dyn Directory> {
        let mut all = vec![Arc::clone(&self.root)];
        let mut next = 0;
        while let Some(directory) = all.get(next).cloned() {
            all.extend(
                NAMES
                    .iter()
                    .filter_map(|name| directory.directory(name).ok()),
            );
            next += 1;
        }
        Arc::clone(&all[which % all.len()])
    }

    fn file(&self, which: usize) -> io::Result<&Arc<dyn File>> {
        let count = self.files.len().max(1);
        self.files
            .get(which % count)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub fn apply(&mut self, op: &Op) -> io::Result<()> {
        match *op {
            Op::Create(at, name) => {
                let file = self.directory(at).create(NAMES[name])?;
                self.files.push(file);
            }
            Op::CreateDirectory(at, name) => {
                self.directory(at).create_directory(NAMES[name])?;
            }
            Op::Open(at, name) => {
                let file = self.directory(at).edit(NAMES[name])?;
                self.files.push(file);
            }
            Op::Close(which) => {
                if !self.files.is_empty() {
                    self.files.remove(which % self.files.len());
                }
            }
            Op::Write(file, byte, count, at) => {
                let written = self.file(file)?.write_at(&vec![byte; count], at)?;
                assert_eq!(written, count);
            }
            Op::SetLen(file, len) => self.file(file)?.set_len(len)?,
            Op::Sync(file) => self.file(file)?.sync_data()?,
            Op::Rename(from, old, to, new, replace) => {
                let replace = if replace { Replace::Yes } else { Replace::No };
                let (from, to) = (self.directory(from), self.directory(to));
                from.rename(NAMES[old], &*to, NAMES[new], replace)?;
            }
            Op::Unlink(at, name) => self.directory(at).unlink(NAMES[name])?,
            Op::RemoveDirectory(at, name) => self.directory(at).remove_directory(NAMES[name])?,
            Op::SyncDirectory(at) => self.directory(at).sync()?,
        }
        Ok(())
    }

    /// All names with the bytes under them, and the bytes of what is open.
    fn state(&self) -> Vec<(String, Vec<u8>)> {
        let mut state = Vec::new();
        list(&*self.root, "", &mut state);
        let open = self.files.iter().map(|file| bytes(&**file));
        state.extend(open.map(|bytes| ("open".to_owned(), bytes)));
        state
    }
}

fn bytes(file: &dyn File) -> Vec<u8> {
    let len = file.stat().expect("open").len;
    let mut bytes = vec![1; usize::try_from(len).expect("small")];
    read_exact_at(file, &mut bytes, 0).expect("readable");
    bytes
}

pub fn list(directory: &dyn Directory, path: &str, state: &mut Vec<(String, Vec<u8>)>) {
    for name in crate::names(directory) {
        let path = format!("{path}/{name}");
        match directory.directory(&name) {
            Ok(inner) => {
                state.push((path.clone(), Vec::new()));
                list(&*inner, &path, state);
            }
            Err(_) => {
                let file = directory.file(&name).expect("a file");
                state.push((path, bytes(&*file)));
            }
        }
    }
}

/// Does the same on both. `is_linux` says whether the other refuses for the same reasons.
fn compare(mut other: Side, is_linux: bool, ops: &[Op]) {
    let disk = SimulatedDisk::new();
    let mut simulated = Side::new(disk.root());
    for (number, op) in ops.iter().enumerate() {
        let place = format!("{number}: {op:?}");
        let one = simulated.apply(op).map_err(|error| error.kind());
        if !is_linux && one == Err(io::ErrorKind::InvalidInput) {
            // A directory that is moved below itself: nothing in memory looks for that.
            continue;
        }
        let two = other.apply(op).map_err(|error| error.kind());
        if is_linux {
            assert_eq!(one, two, "{place}");
        } else {
            assert_eq!(one.is_ok(), two.is_ok(), "{place}");
        }
        assert_eq!(simulated.state(), other.state(), "{place}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_does_what_the_operating_system_does(ops in prop::collection::vec(op(), 1..60)) {
        let place = TempDir::new().expect("a directory");
        let real = RealDirectory::open(place.path()).expect("it opens");
        compare(Side::new(real), cfg!(target_os = "linux"), &ops);
    }

    #[test]
    fn it_does_what_a_directory_in_memory_does(ops in prop::collection::vec(op(), 1..60)) {
        compare(Side::new(Arc::new(MemoryDirectory::new("memory"))), false, &ops);
    }
}
