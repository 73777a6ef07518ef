//! A sidecar as it was found.

use crate::felix::error::SidecarDamage;

/// What reading a file found.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::sidecar::{Loaded, epochs};
///
/// let directory = Arc::new(MemoryDirectory::new("shard"));
/// let look = || Shard::look(directory.clone(), None);
/// assert_eq!(epochs::load(&look()?), Loaded::Absent);
/// directory.put("epochs", MemoryFile::of(b"not what it should be"));
/// let epochs = epochs::load(&look()?);
/// // A derived file: there is damage to report, and the log opens without.
/// assert!(epochs.is_ignored() && epochs.sound().is_none());
/// println!("{:?}", epochs.damage());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded<T> {
    /// There is no such file.
    Absent,
    /// It decodes.
    Sound(T),
    /// It does not.
    Damaged(SidecarDamage),
    /// Something else has its name: a directory, a link, a device. It was not opened.
    Irregular,
    /// The system would not read it; only for derived files. With what it said.
    Unreadable(String),
}

impl<T> Loaded<T> {
    /// The value, if the file decodes: all that a derived file is good for.
    pub fn sound(&self) -> Option<&T> {
        match self {
            Self::Sound(value) => Some(value),
            _ => None,
        }
    }

    /// Whether there is something under its name that is of no use.
    pub fn is_ignored(&self) -> bool {
        !matches!(self, Self::Absent | Self::Sound(_))
    }

    /// The damage, if it is that.
    pub fn damage(&self) -> Option<SidecarDamage> {
        match self {
            Self::Damaged(damage) => Some(*damage),
            _ => None,
        }
    }
}
