//! A sidecar as it was found.

use crate::felix::error::SidecarDamage;

/// What reading a file found.
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
