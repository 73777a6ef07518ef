//! A regular file of the operating system.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

#[cfg(target_os = "linux")]
use rustix::fs::FallocateFlags;
use rustix::fs::SeekFrom;
use rustix::io::{Errno, retry_on_intr};

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

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        Ok(rustix::io::pwrite(&self.descriptor, bytes, position)?)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        Ok(retry_on_intr(|| {
            rustix::fs::ftruncate(&self.descriptor, len)
        })?)
    }

    fn sync_data(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        return Ok(rustix::fs::fdatasync(&self.descriptor)?);
        #[cfg(not(target_os = "linux"))]
        super::sync(&self.descriptor)
    }

    fn sync_all(&self) -> io::Result<()> {
        super::sync(&self.descriptor)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        match retry_on_intr(|| {
            rustix::fs::fallocate(&self.descriptor, FallocateFlags::KEEP_SIZE, 0, len)
        }) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(error) => Err(error.into()),
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _no_such_call = len;
            Ok(())
        }
    }

    fn clone_of(&self, source: &dyn File) -> io::Result<bool> {
        #[cfg(target_os = "linux")]
        if let Some(source) = source.descriptor() {
            return match rustix::fs::ioctl_ficlone(&self.descriptor, source) {
                Ok(()) => Ok(true),
                // Another file system, or one that shares no blocks.
                Err(
                    Errno::OPNOTSUPP | Errno::XDEV | Errno::INVAL | Errno::NOTTY | Errno::NOSYS,
                ) => Ok(false),
                Err(error) => Err(error.into()),
            };
        }
        let _not_shared = source;
        Ok(false)
    }

    fn take_owner_of(&self, other: &dyn File) -> io::Result<()> {
        let Some(other) = other.descriptor() else {
            return Ok(());
        };
        let other = rustix::fs::fstat(other)?;
        let owner = rustix::fs::Uid::from_raw(other.st_uid);
        let group = rustix::fs::Gid::from_raw(other.st_gid);
        // Only a privileged process may give a file away; to a group that it is in, any may.
        if rustix::fs::fchown(&self.descriptor, Some(owner), Some(group)).is_err() {
            let _as_far_as_allowed = rustix::fs::fchown(&self.descriptor, None, Some(group));
        }
        // Permissions alone: a file of records is no program to be run as somebody else.
        let mode = rustix::fs::Mode::from_raw_mode(other.st_mode & 0o777);
        Ok(rustix::fs::fchmod(&self.descriptor, mode)?)
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
