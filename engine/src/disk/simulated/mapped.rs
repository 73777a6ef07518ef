//! Descriptors that show the bytes of simulated files, so that they can be mapped.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::sectors::{Bytes, SECTOR, bytes_of};
use super::world::World;

impl World {
    /// What shows the bytes of a file; none on a disk without mappings, or a system without files in memory.
    pub(super) fn descriptor(&mut self, inode: u64) -> Option<Arc<OwnedFd>> {
        if !self.options.maps {
            return None;
        }
        if let Some(shown) = self.shown.get(&inode) {
            return Some(Arc::clone(shown));
        }
        let bytes = Arc::clone(self.content(inode).ok()?.now());
        let shown = Arc::new(file_in_memory().ok()?);
        fill(&shown, &bytes).ok()?;
        self.shown.insert(inode, Arc::clone(&shown));
        Some(shown)
    }

    /// Shows bytes that were written.
    pub(super) fn show_write(&self, inode: u64, bytes: &[u8], position: u64) -> io::Result<()> {
        match self.shown.get(&inode) {
            Some(shown) => write(shown, bytes, position),
            None => Ok(()),
        }
    }

    /// Shows all of a file, whose length may have changed.
    pub(super) fn show_len(&self, inode: u64, len: u64) -> io::Result<()> {
        match self.shown.get(&inode) {
            Some(shown) => Ok(rustix::fs::ftruncate(shown, len)?),
            None => Ok(()),
        }
    }

    /// Shows a file of which everything is another.
    pub(super) fn show_all(&mut self, inode: u64) -> io::Result<()> {
        let Some(shown) = self.shown.get(&inode).cloned() else {
            return Ok(());
        };
        let bytes = Arc::clone(self.content(inode)?.now());
        rustix::fs::ftruncate(&shown, 0)?;
        fill(&shown, &bytes)
    }
}

fn fill(shown: &OwnedFd, bytes: &Bytes) -> io::Result<()> {
    for (&index, sector) in bytes.sectors(0..=u64::MAX) {
        write(shown, bytes_of(&Some(Arc::clone(sector))), index * SECTOR)?;
    }
    Ok(rustix::fs::ftruncate(shown, bytes.len())?)
}

fn write(shown: &OwnedFd, mut bytes: &[u8], mut position: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = rustix::io::pwrite(shown, bytes, position)?;
        position += written as u64;
        bytes = bytes.get(written..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn file_in_memory() -> io::Result<OwnedFd> {
    let flags = rustix::fs::MemfdFlags::CLOEXEC;
    Ok(rustix::fs::memfd_create("simulated", flags)?)
}

#[cfg(not(target_os = "linux"))]
fn file_in_memory() -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}
