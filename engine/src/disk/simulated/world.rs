//! Everything on a disk.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::content::Content;
use super::fault::{Faults, Kind, Verdict};
use super::names::{Change, Map, Names, Place};
use super::sectors::Bytes;
use super::{Moment, SimulatedDisk};
use crate::disk::hooked::Call;

/// The inode of the root.
pub(super) const ROOT: u64 = 0;

/// Files that are gone whose blocks may still be found.
const STALE: usize = 8;

/// A disk: what is on it, what is open, and what goes wrong.
#[derive(Default)]
pub(super) struct World {
    pub(super) inodes: BTreeMap<u64, Inode>,
    next_inode: u64,
    /// What was done to names and is not synced, in order.
    pub(super) changes: Vec<Change>,
    /// What files held that were unlinked or cut, the last ones.
    pub(super) stale: Vec<Arc<Bytes>>,
    /// Bytes of which one bit was flipped, by path and position.
    pub(super) rotted: Vec<(String, u64)>,
    pub(super) operations: u64,
    pub(super) faults: Faults,
    pub(super) recorded: Option<Vec<Moment>>,
    pub(super) locked: BTreeSet<u64>,
    /// How many handles there are, by inode.
    open: BTreeMap<u64, usize>,
    pub(super) options: Options,
    /// What shows the bytes of a file, by inode.
    pub(super) shown: BTreeMap<u64, Arc<OwnedFd>>,
    device: u64,
}

/// What a disk is asked for when it is made.
#[derive(Clone, Copy, Default)]
pub(super) struct Options {
    /// Files can be mapped.
    pub(super) maps: bool,
    /// A failed sync of a directory drops names.
    pub(super) forgets_names: bool,
}

/// A file or a directory.
#[derive(Clone)]
pub(super) enum Inode {
    File(Content),
    Directory(Names),
}

impl World {
    /// Nothing, not even a root, on a device of its own.
    pub(super) fn empty(options: Options) -> Self {
        static DEVICES: AtomicU64 = AtomicU64::new(1);
        Self {
            device: DEVICES.fetch_add(1, Ordering::Relaxed),
            options,
            ..Self::default()
        }
    }

    /// A disk of its own with all that is on this one, synced or not, as a process finds it that was started after another
    /// was killed.
    pub(super) fn copy(&self) -> Self {
        Self {
            inodes: self.inodes.clone(),
            changes: self.changes.clone(),
            faults: self.faults.disarmed(),
            operations: self.operations,
            ..self.blank()
        }
    }

    /// A disk without names and files, but with the blocks and options of this one.
    pub(super) fn blank(&self) -> Self {
        Self {
            next_inode: self.next_inode,
            stale: self.stale.clone(),
            rotted: self.rotted.clone(),
            ..Self::empty(self.options)
        }
    }

    /// A call begins: it is counted, and may fail.
    pub(super) fn call(&mut self, kind: Kind, inodes: &[u64]) -> io::Result<Verdict> {
        self.faults.call(self.operations, kind, inodes)
    }

    /// An operation is about to be done. Returns its number.
    pub(super) fn operation(&mut self, call: Call, name: &str) -> u64 {
        let at = self.operations;
        if self.recorded.is_some() {
            let moment = Moment {
                at,
                call,
                name: name.to_owned(),
                disk: SimulatedDisk::of(self.copy()),
            };
            self.recorded.get_or_insert_default().push(moment);
        }
        self.operations += 1;
        at
    }

    pub(super) fn add(&mut self, inode: Inode) -> u64 {
        let number = self.next_inode;
        self.next_inode += 1;
        self.inodes.insert(number, inode);
        number
    }

    pub(super) fn content(&mut self, inode: u64) -> io::Result<&mut Content> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::File(content)) => Ok(content),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub(super) fn names(&self, inode: u64) -> io::Result<&Names> {
        match self.inodes.get(&inode) {
            Some(Inode::Directory(names)) => Ok(names),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub(super) fn names_mut(&mut self, inode: u64) -> io::Result<&mut Names> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::Directory(names)) => Ok(names),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The number of an inode that no other disk in this process has, and no disk of the system.
    pub(super) fn outer(&self, inode: u64) -> u64 {
        self.device << 32 | inode
    }

    /// The inode with that number, if it is one of this disk.
    pub(super) fn inner(&self, outer: u64) -> Option<u64> {
        (outer >> 32 == self.device).then_some(outer & u64::from(u32::MAX))
    }

    /// Keeps what a file held, whose blocks are free from now on.
    pub(super) fn free(&mut self, inode: u64) {
        if let Some(Inode::File(content)) = self.inodes.get(&inode)
            && content.now().len() > 0
        {
            if self.stale.len() == STALE {
                self.stale.remove(0);
            }
            self.stale.push(Arc::clone(content.now()));
        }
    }

    pub(super) fn opened(&mut self, inode: u64) {
        *self.open.entry(inode).or_default() += 1;
    }

    pub(super) fn closed(&mut self, inode: u64) {
        if let Some(handles) = self.open.get_mut(&inode) {
            *handles -= 1;
            if *handles == 0 {
                self.open.remove(&inode);
            }
        }
    }

    /// Forgets what has no name on the disk or in the cache, nor a handle.
    pub(super) fn collect(&mut self) {
        let mut kept: BTreeSet<u64> = self.open.keys().copied().collect();
        kept.insert(ROOT);
        kept.extend(self.changes.iter().map(|change| change.inode));
        for inode in self.inodes.values() {
            if let Inode::Directory(names) = inode {
                let of = |names: &Map| names.values().copied().collect::<Vec<_>>();
                kept.extend(of(&names.now));
                kept.extend(of(&names.synced));
            }
        }
        self.inodes.retain(|inode, _| kept.contains(inode));
        self.shown.retain(|inode, _| kept.contains(inode));
        // What was done in a directory that is gone is found by nobody, and neither is what it was done to.
        let changes = self.changes.len();
        for change in &mut self.changes {
            let is_gone = |place: &mut Place| !self.inodes.contains_key(&place.directory);
            change.from.take_if(is_gone);
            change.to.take_if(is_gone);
        }
        self.changes
            .retain(|change| change.places().next().is_some());
        if self.changes.len() < changes {
            self.collect();
        }
    }

    pub(super) fn is_dirty(&self) -> bool {
        let is_dirty = |inode: &Inode| match inode {
            Inode::File(content) => content.is_dirty(),
            Inode::Directory(_) => false,
        };
        !self.changes.is_empty() || self.inodes.values().any(is_dirty)
    }
}
