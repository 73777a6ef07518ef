//! Locking a directory against other writers (Felix 7.9).

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::disk::{Lock, Locked};

/// Takes an exclusive `flock`, on an open of its own, so that a second one in this process is refused as well. The kernel
/// releases it when the process ends, however it ends.
pub(super) fn lock(directory: &OwnedFd, path: &Path) -> io::Result<Lock> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let own = rustix::fs::openat(directory, ".", flags, Mode::empty())?;
    match rustix::fs::flock(&own, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => {
            let holder = holder(&own);
            return Err(Locked { holder }.into());
        }
        Err(error) => return Err(error.into()),
    }
    // A lock on a directory that was moved away keeps nobody from the one that has its place.
    let held = Held(own);
    let ours = rustix::fs::fstat(&held.0)?;
    let there = rustix::fs::stat(path)?;
    if (ours.st_dev, ours.st_ino) != (there.st_dev, there.st_ino) {
        let what = "another directory has the path of the one that was opened";
        return Err(io::Error::other(what));
    }
    Ok(Lock::new(held))
}

/// Lets go by itself: a process that is just being started has this descriptor too, until it runs its own program, and
/// closing ours would leave the lock to it until then.
struct Held(OwnedFd);

impl Drop for Held {
    fn drop(&mut self) {
        let _closed_next = rustix::fs::flock(&self.0, FlockOperation::Unlock);
    }
}

/// The process that holds a `flock` on this directory, as `/proc/locks` shows it.
#[cfg(target_os = "linux")]
fn holder(directory: &OwnedFd) -> Option<u32> {
    let inode = rustix::fs::fstat(directory).ok()?.st_ino;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK ADVISORY WRITE <pid> <device>:<inode> 0 EOF`; of the device a container may see another number.
    let holder = locks.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace().skip(1);
        let is_flock = words.next()? == "FLOCK";
        let pid = words.nth(2)?;
        let (_, found) = words.next()?.rsplit_once(':')?;
        (is_flock && found.parse() == Ok(inode)).then(|| pid.parse().ok())?
    });
    // A process of another namespace is shown as 0 or below.
    holder.filter(|&pid| pid != 0)
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &OwnedFd) -> Option<u32> {
    None
}
