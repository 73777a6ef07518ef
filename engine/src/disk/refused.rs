//! Why a name was not opened, or a directory not locked.

use std::any::Any;
use std::{error, fmt, io};

use super::EntryKind;

/// The error of opening what is a link or not of the kind that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irregular {
    /// What was asked for.
    pub wanted: EntryKind,
}

impl fmt::Display for Irregular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wanted {
            EntryKind::Directory => f.write_str("not a directory, or a link to one"),
            _ => f.write_str("not a regular file"),
        }
    }
}

impl error::Error for Irregular {}

impl From<Irregular> for io::Error {
    fn from(irregular: Irregular) -> Self {
        Self::other(irregular)
    }
}

/// Whether an open failed because the name stands for a link, or for something of another kind.
///
/// ```
/// use std::os::unix::fs::symlink;
///
/// use ondisk_engine::disk::is_irregular;
/// use ondisk_engine::disk::real::RealDirectory;
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// symlink("/etc/passwd", path.join("settings"))?;
/// let refused = RealDirectory::open(path)?.file("settings");
/// assert!(refused.is_err_and(|error| is_irregular(&error)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn is_irregular(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Irregular>())
}

/// Refuses names that could leave the directory.
pub(super) fn single_component(name: &str) -> io::Result<()> {
    match name {
        "" | "." | ".." => Err(io::ErrorKind::InvalidInput.into()),
        name if name.contains('/') => Err(io::ErrorKind::InvalidInput.into()),
        _ => Ok(()),
    }
}

/// A directory that is locked for as long as this lives.
///
/// ```
/// use ondisk_engine::disk::Lock;
///
/// /// What a directory of another kind hands out: it is told when the lock goes.
/// struct Held(std::sync::mpsc::Sender<&'static str>);
///
/// impl Drop for Held {
///     fn drop(&mut self) {
///         let _nobody_listens = self.0.send("released");
///     }
/// }
///
/// let (tell, told) = std::sync::mpsc::channel();
/// drop(Lock::new(Held(tell)));
/// assert_eq!(told.recv(), Ok("released"));
/// ```
pub struct Lock(#[expect(dead_code, reason = "dropped, never read")] Box<dyn Any + Send + Sync>);

impl Lock {
    /// Wraps what releases the lock when it is dropped.
    pub fn new(guard: impl Any + Send + Sync) -> Self {
        Self(Box::new(guard))
    }
}

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock")
    }
}

/// The error of a lock that somebody else has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locked {
    /// The process that has it, where the system shows that.
    pub holder: Option<u32>,
}

impl fmt::Display for Locked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("locked by ")?;
        match self.holder {
            Some(holder) if holder == std::process::id() => f.write_str("this process already"),
            Some(holder) => write!(f, "process {holder}"),
            None => f.write_str("another writer"),
        }
    }
}

impl error::Error for Locked {}

impl From<Locked> for io::Error {
    fn from(locked: Locked) -> Self {
        Self::new(io::ErrorKind::WouldBlock, locked)
    }
}

/// Who else has the lock, if that is why a call failed.
///
/// ```
/// use ondisk_engine::disk::locked;
/// use ondisk_engine::disk::real::RealDirectory;
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let mine = RealDirectory::open(path)?.lock()?;
/// let refused = RealDirectory::open(path)?.lock();
/// assert!(refused.is_err_and(|error| locked(&error).is_some()));
/// drop(mine);
/// RealDirectory::open(path)?.lock()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn locked(error: &io::Error) -> Option<&Locked> {
    error.get_ref()?.downcast_ref()
}
