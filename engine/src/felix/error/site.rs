//! Where damage is (Felix 16.2).

use std::fmt;

use super::CorruptionKind;

impl CorruptionKind {
    /// Puts it at its place.
    pub(crate) fn at(self, segment: u64, position: u64) -> Corruption {
        Corruption {
            kind: self,
            site: CorruptionSite {
                shard: None,
                segment: Some(segment),
                position: Some(position),
            },
        }
    }
}

/// Where something is wrong. Each layer fills in what it knows, and the first to set a field wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorruptionSite {
    /// Label of the shard, or the path of its directory where no key is known.
    pub shard: Option<String>,
    /// Id of the segment.
    pub segment: Option<u64>,
    /// First byte of the failing record or header in the segment.
    pub position: Option<u64>,
}

impl fmt::Display for CorruptionSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(shard) = &self.shard {
            write!(f, "shard {shard}")?;
            separator = ", ";
        }
        if let Some(segment) = self.segment {
            write!(f, "{separator}segment {segment}")?;
            separator = ", ";
        }
        if let Some(position) = self.position {
            write!(f, "{separator}byte {position}")?;
        }
        Ok(())
    }
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} ({site})")]
pub struct Corruption {
    /// What is wrong.
    pub kind: CorruptionKind,
    /// Where.
    pub site: CorruptionSite,
}

impl Corruption {
    /// Says which shard it is in, unless that is known already.
    #[must_use]
    pub fn in_shard(mut self, shard: &str) -> Self {
        self.site.shard.get_or_insert_with(|| shard.to_owned());
        self
    }
}
