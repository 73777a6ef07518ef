//! Which version a writer writes.

use core::fmt;
use core::marker::PhantomData;

use crate::describe::{Kind, Versions};
use crate::feature::{Feature, FeatureLevels};
use crate::format::Format;

/// A version of `K` that a writer may write. It comes only from the feature levels, so that a gate cannot be forgotten.
pub struct WriteVersion<K> {
    version: u32,
    kind: PhantomData<fn() -> K>,
}

impl<K> Clone for WriteVersion<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for WriteVersion<K> {}

impl<K: Format> fmt::Debug for WriteVersion<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version {}", K::KIND.name, self.version)
    }
}

impl<K: Format> WriteVersion<K> {
    /// The version written by default under `levels`.
    #[must_use]
    pub fn default_under(levels: &FeatureLevels<'_>) -> Self {
        let version = K::KIND
            .versions
            .as_ref()
            .map_or(0, |versions| versions.default_under(levels));
        Self {
            version,
            kind: PhantomData,
        }
    }

    /// Exactly `version`, if `levels` allow it.
    ///
    /// # Errors
    /// [`GateError`] when no build writes that version, or its feature is not finalized.
    pub fn at(version: u32, levels: &FeatureLevels<'_>) -> Result<Self, GateError> {
        let refuse = |needs| GateError {
            kind: K::KIND,
            version,
            needs,
        };
        let Some(versions) = &K::KIND.versions else {
            return Err(refuse(None));
        };
        if !(versions.min..=versions.max).contains(&version) {
            return Err(refuse(None));
        }
        let needs = versions.gate_of(version);
        if version <= versions.writes || needs.is_some_and(|feature| levels.allows(feature)) {
            Ok(Self {
                version,
                kind: PhantomData,
            })
        } else {
            Err(refuse(needs))
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.version
    }
}

impl Versions {
    /// The version written by default under `levels`.
    fn default_under(&self, levels: &FeatureLevels<'_>) -> u32 {
        let adopted = self
            .gates
            .iter()
            .filter(|gate| self.adopt && levels.allows(gate.feature));
        adopted.map(|gate| gate.version).fold(self.writes, u32::max)
    }

    /// The feature that writing `version` needs. A version above `writes` without one is read, and never written.
    #[must_use]
    pub fn gate_of(&self, version: u32) -> Option<Feature> {
        let mut gates = self.gates.iter();
        gates
            .find(|gate| gate.version == version)
            .map(|gate| gate.feature)
    }
}

/// A version that may not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateError {
    kind: &'static Kind,
    version: u32,
    needs: Option<Feature>,
}

impl GateError {
    /// The feature that would allow it; `None` when no build writes that version.
    #[must_use]
    pub const fn needs(&self) -> Option<Feature> {
        self.needs
    }
}

impl fmt::Display for GateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            version,
            needs,
        } = self;
        match (needs, &kind.versions) {
            (Some(feature), _) => write!(
                f,
                "{} version {version} needs {feature} to be finalized",
                kind.name
            ),
            (None, Some(v)) if (v.min..=v.max).contains(version) => {
                write!(
                    f,
                    "{} version {version} is read, and never written",
                    kind.name
                )
            }
            (None, Some(v)) => {
                write!(
                    f,
                    "{} has no version {version}, only {} to {}",
                    kind.name, v.min, v.max
                )
            }
            (None, None) => write!(f, "{} has no version", kind.name),
        }
    }
}

impl core::error::Error for GateError {}
