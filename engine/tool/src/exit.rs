//! What the tool ends with.

use std::process::ExitCode;

/// The outcome of a command, as its exit code tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing is wrong.
    #[default]
    Sound,
    /// Damage was found, or something was not done because of it.
    Damaged,
    /// The command line cannot be right.
    Usage,
    /// Something could not be looked at, so nothing is known of it; or could not be done.
    CouldNotLook,
}

impl Exit {
    /// The outcome of two looks. Damage that was found is certain, whatever else could not be looked at.
    pub(crate) fn and(self, other: Self) -> Self {
        let weight = |exit| match exit {
            Self::Sound => 0,
            Self::CouldNotLook => 1,
            Self::Damaged => 2,
            Self::Usage => 3,
        };
        if weight(other) > weight(self) {
            other
        } else {
            self
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Sound => 0,
            Exit::Damaged => 1,
            Exit::Usage => 2,
            Exit::CouldNotLook => 3,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn damage_outweighs_what_could_not_be_looked_at() {
        assert_eq!(Exit::Sound.and(Exit::CouldNotLook), Exit::CouldNotLook);
        assert_eq!(Exit::CouldNotLook.and(Exit::Damaged), Exit::Damaged);
        assert_eq!(Exit::Damaged.and(Exit::CouldNotLook), Exit::Damaged);
        assert_eq!(Exit::Sound.and(Exit::Sound), Exit::Sound);
    }
}
