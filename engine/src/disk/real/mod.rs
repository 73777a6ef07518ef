//! The operating system's files, by way of descriptors.

mod directory;
mod file;
mod lock;

pub use directory::RealDirectory;
pub use file::RealFile;

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::FileType;
use rustix::io::Errno;

use super::{EntryKind, Irregular, Stat};

/// The error of an `open` that refused to follow a link or met the wrong kind of thing, told apart from the others.
fn opening(error: Errno, wanted: EntryKind) -> io::Error {
    match error {
        // What O_NOFOLLOW answers for a link; some systems say EMLINK.
        Errno::LOOP | Errno::MLINK => Irregular { wanted }.into(),
        Errno::NOTDIR if wanted == EntryKind::Directory => Irregular { wanted }.into(),
        // A socket cannot be opened, nor can a device without a driver.
        Errno::NXIO | Errno::NODEV if wanted == EntryKind::File => Irregular { wanted }.into(),
        other => other.into(),
    }
}

/// Makes a file or directory durable, as far down as the system reaches.
fn sync(descriptor: &OwnedFd) -> io::Result<()> {
    #[cfg(target_os = "macos")]
    rustix::fs::fcntl_fullfsync(descriptor)?;
    #[cfg(not(target_os = "macos"))]
    rustix::fs::fsync(descriptor)?;
    Ok(())
}

fn kind(stat: &rustix::fs::Stat) -> EntryKind {
    kind_of_type(FileType::from_raw_mode(stat.st_mode))
}

fn kind_of_type(file_type: FileType) -> EntryKind {
    match file_type {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

fn stat(stat: &rustix::fs::Stat) -> Stat {
    Stat {
        // The length of a regular file is never negative.
        len: u64::try_from(stat.st_size).unwrap_or(0),
        inode: stat.st_ino,
        modified_nanos: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
    }
}
