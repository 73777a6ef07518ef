//! A regular file of the operating system.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::SeekFrom;
use rustix::io::Errno;

use crate::disk::{File, Stat};

/// An open regular file of the operating system.
#[derive(Debug)]
pub struct RealFile {
    descriptor: OwnedFd,
}

impl RealFile {
    /// Takes a descriptor that was seen to be a regular file.
    pub(super) fn new(descriptor: OwnedFd) -> Self {
        Self { descriptor }
    }
}

impl File for RealFile {
    fn stat(&self) -> io::Result<Stat> {
        Ok(super::stat(&rustix::fs::fstat(&self.descriptor)?))
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        Ok(rustix::io::pread(&self.descriptor, buffer, position)?)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        // The seek moves the descriptor's own position, which nothing uses: all reads say where.
        match rustix::fs::seek(&self.descriptor, SeekFrom::Data(from)) {
            Ok(position) => Ok(Some(position)),
            Err(Errno::NXIO) => Ok(None),
            Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NOTTY) => Ok(Some(from)),
            Err(error) => Err(error.into()),
        }
    }

    fn forget(&self, position: u64, bytes: u64) {
        #[cfg(target_os = "linux")]
        if let Some(bytes) = std::num::NonZeroU64::new(bytes) {
            let advice = rustix::fs::Advice::DontNeed;
            let _hint = rustix::fs::fadvise(&self.descriptor, position, Some(bytes), advice);
        }
        #[cfg(not(target_os = "linux"))]
        let _no_such_hint = (position, bytes);
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        Some(self.descriptor.as_fd())
    }
}
