//! A file of a simulated disk.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::BorrowedFd;

use super::SimulatedDisk;
use crate::disk::hooked::Call;
use crate::disk::{File, Stat};

/// An open file of a simulated disk.
#[derive(Debug)]
pub struct SimulatedFile {
    disk: SimulatedDisk,
    inode: u64,
    name: String,
}

/// The bytes of a file, in the cache and on the device.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    /// As every reader sees it.
    pub(super) now: Vec<u8>,
    /// As it was when it was last synced.
    pub(super) synced: Vec<u8>,
    /// Sectors written since.
    pub(super) dirty: BTreeSet<usize>,
    /// Lengths that it had since.
    pub(super) lengths: BTreeSet<usize>,
    changes: i128,
}

/// What a device writes whole.
pub(super) const SECTOR: usize = 512;

impl Content {
    /// A file whose bytes are all on the device.
    pub(super) fn synced(bytes: Vec<u8>) -> Self {
        Self {
            now: bytes.clone(),
            synced: bytes,
            ..Self::default()
        }
    }

    pub(super) fn is_dirty(&self) -> bool {
        !self.dirty.is_empty() || !self.lengths.is_empty()
    }

    fn write(&mut self, bytes: &[u8], position: usize) {
        let end = position + bytes.len();
        if end > self.now.len() {
            self.now.resize(end, 0);
            self.lengths.insert(end);
        }
        self.now[position..end].copy_from_slice(bytes);
        if !bytes.is_empty() {
            self.dirty.extend(position / SECTOR..=(end - 1) / SECTOR);
        }
        self.changes += 1;
    }

    fn set_len(&mut self, len: usize) {
        if len != self.now.len() {
            self.lengths.insert(len);
            let changed = len.min(self.now.len()) / SECTOR..=len.max(self.now.len()) / SECTOR;
            self.dirty.extend(changed);
        }
        self.now.resize(len, 0);
        self.changes += 1;
    }

    /// Brings what is dirty to the device, and nothing else: what a failed sync lost is not dirty any more.
    fn sync(&mut self) {
        self.synced.resize(self.now.len(), 0);
        for sector in std::mem::take(&mut self.dirty) {
            let from = sector * SECTOR;
            let to = (from + SECTOR).min(self.now.len());
            if from < to {
                self.synced[from..to].copy_from_slice(&self.now[from..to]);
            }
        }
        self.lengths.clear();
    }
}

impl SimulatedFile {
    pub(super) fn new(disk: SimulatedDisk, inode: u64, name: &str) -> Self {
        let name = name.to_owned();
        Self { disk, inode, name }
    }
}

fn to_usize(position: u64) -> io::Result<usize> {
    usize::try_from(position).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

impl File for SimulatedFile {
    fn stat(&self) -> io::Result<Stat> {
        let mut world = self.disk.look()?;
        let content = world.content(self.inode)?;
        Ok(Stat {
            len: content.now.len() as u64,
            inode: self.inode,
            modified_nanos: content.changes,
        })
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        let mut world = self.disk.look()?;
        let content = world.content(self.inode)?;
        let there = content.now.get(to_usize(position)?..).unwrap_or_default();
        let most = there.len().min(buffer.len());
        buffer[..most].copy_from_slice(&there[..most]);
        Ok(most)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        let len = self.stat()?.len;
        Ok((from < len).then_some(from))
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        let mut world = self.disk.change(Call::Write, &self.name)?;
        let content = world.content(self.inode)?;
        content.write(bytes, to_usize(position)?);
        Ok(bytes.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut world = self.disk.change(Call::SetLen, &self.name)?;
        world.content(self.inode)?.set_len(to_usize(len)?);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let synced = self.disk.change(Call::SyncFile, &self.name);
        match synced {
            Ok(mut world) => {
                world.content(self.inode)?.sync();
                Ok(())
            }
            Err(error) => {
                // What it could not write it forgets: the cache calls those pages clean from now on.
                if let Ok(mut world) = self.disk.look()
                    && let Ok(content) = world.content(self.inode)
                {
                    content.dirty.clear();
                }
                Err(error)
            }
        }
    }

    fn sync_all(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn allocate(&self, _len: u64) -> io::Result<()> {
        self.disk.change(Call::Allocate, &self.name).map(|_| ())
    }

    fn clone_of(&self, _source: &dyn File) -> io::Result<bool> {
        Ok(false)
    }

    fn take_owner_of(&self, _other: &dyn File) -> io::Result<()> {
        Ok(())
    }

    fn forget(&self, _position: u64, _bytes: u64) {}

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
