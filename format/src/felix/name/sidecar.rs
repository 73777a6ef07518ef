//! Names of the files that lie beside the segments of a shard (Felix 2.1, 2.6).

/// A sidecar of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sidecar {
    /// `durable.mark`: up to where the active segment was flushed (Felix 6).
    DurableMark,
    /// `epochs`: where each generation began (Felix 11.2).
    Epochs,
    /// `replica`: accepted generation and commit (Felix 11.3).
    Replica,
    /// `ballot`: the leader behind the accepted generation (Felix 11.4).
    Ballot,
    /// `producers`: the producer snapshot (Felix 11.5).
    Producers,
    /// `offload.manifest`: copies in the object store (Felix 11.6).
    Manifest,
    /// `keys.idx`: key index of a cache (Felix 11.7).
    KeyIndex,
}

impl Sidecar {
    /// Every sidecar.
    pub const ALL: [Self; 7] = [
        Self::DurableMark,
        Self::Epochs,
        Self::Replica,
        Self::Ballot,
        Self::Producers,
        Self::Manifest,
        Self::KeyIndex,
    ];

    /// Reads a file name; none when it is not one of these.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|sidecar| sidecar.file_name() == name)
    }

    /// Reads the file name of a temporary; none when it is not one of these.
    #[must_use]
    pub fn parse_temporary(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|sidecar| sidecar.temporary_name() == Some(name))
    }

    /// Its file name.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::DurableMark => "durable.mark",
            Self::Epochs => "epochs",
            Self::Replica => "replica",
            Self::Ballot => "ballot",
            Self::Producers => "producers",
            Self::Manifest => "offload.manifest",
            Self::KeyIndex => "keys.idx",
        }
    }

    /// The file name under which it is written before it takes its own; none for the mark, which is written in place.
    #[must_use]
    pub const fn temporary_name(self) -> Option<&'static str> {
        match self {
            Self::DurableMark => None,
            Self::Epochs => Some("epochs.tmp"),
            Self::Replica => Some("replica.tmp"),
            Self::Ballot => Some("ballot.tmp"),
            Self::Producers => Some("producers.tmp"),
            // Here the extension is replaced.
            Self::Manifest => Some("offload.tmp"),
            Self::KeyIndex => Some("keys.idx.tmp"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sidecar;

    #[test]
    fn both_ways() {
        for sidecar in Sidecar::ALL {
            assert_eq!(Sidecar::parse(sidecar.file_name()), Some(sidecar));
            assert_eq!(Sidecar::parse_temporary(sidecar.file_name()), None);
            if let Some(temporary) = sidecar.temporary_name() {
                assert_eq!(Sidecar::parse_temporary(temporary), Some(sidecar));
                assert_eq!(Sidecar::parse(temporary), None);
            }
        }
    }

    #[test]
    fn other_names() {
        for name in [
            "",
            "Epochs",
            "epochs ",
            "durable.mark.tmp",
            "durable.tmp",
            "offload.manifest.tmp",
            "keys.tmp",
        ] {
            assert_eq!(
                (Sidecar::parse(name), Sidecar::parse_temporary(name)),
                (None, None),
                "{name}"
            );
        }
    }
}
