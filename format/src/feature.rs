//! Features and their levels: what a fleet has agreed on, and so what a writer may write.
//!
//! Reading needs no feature. A gate only restricts writing, so that a build one step older still opens every byte until
//! the fleet has finalized the feature.

use core::fmt;

/// A level of a feature that gates a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The feature's name.
    pub name: &'static str,
    /// The finalized level that is needed.
    pub level: u16,
}

impl Feature {
    /// The feature `name`, needed at `level`.
    #[must_use]
    pub const fn new(name: &'static str, level: u16) -> Self {
        Self { name, level }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at level {}", self.name, self.level)
    }
}

/// The finalized level of every feature. What is not named has level 0: not finalized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureLevels<'a> {
    levels: &'a [(&'a str, u16)],
}

impl<'a> FeatureLevels<'a> {
    /// Nothing is finalized.
    pub const NONE: Self = Self { levels: &[] };

    /// The levels by name; the first entry of a name counts.
    #[must_use]
    pub const fn new(levels: &'a [(&'a str, u16)]) -> Self {
        Self { levels }
    }

    /// The finalized level of `name`.
    #[must_use]
    pub fn level(&self, name: &str) -> u16 {
        self.levels
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(0, |&(_, level)| level)
    }

    /// Whether `feature` is finalized at its level or above.
    #[must_use]
    pub fn allows(&self, feature: Feature) -> bool {
        self.level(feature.name) >= feature.level
    }
}
