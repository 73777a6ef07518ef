//! What a name inside a shard directory is.

use super::segment::SegmentFile;
use super::sidecar::Sidecar;

/// A name in a shard directory, classified. What a file of that name holds, and whether it is a regular file at all,
/// is for the reader to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShardEntry {
    /// A segment or a file that belongs to one.
    Segment(SegmentFile),
    /// A sidecar.
    Sidecar(Sidecar),
    /// What an unfinished write of this sidecar left; no reader looks at it.
    Temporary(Sidecar),
    /// Ends like a segment or an index, but has not 20 digits of a `u64` before that: ignored and reported (Felix 2.5).
    Stray,
    /// None of the above, such as a sidecar of a later build: ignored (Felix 15.3).
    Unknown,
}

impl ShardEntry {
    /// Classifies a name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        if let Some(file) = SegmentFile::parse(name) {
            Self::Segment(file)
        } else if let Some(sidecar) = Sidecar::parse(name) {
            Self::Sidecar(sidecar)
        } else if let Some(sidecar) = Sidecar::parse_temporary(name) {
            Self::Temporary(sidecar)
        } else if name.ends_with(".log") || name.ends_with(".index") {
            Self::Stray
        } else {
            Self::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SegmentFile, ShardEntry, Sidecar};

    #[test]
    fn every_kind_of_name() {
        for (name, entry) in [
            (
                "00000000000000000003.log",
                ShardEntry::Segment(SegmentFile::Log { id: 3 }),
            ),
            (
                "00000000000000000003.index",
                ShardEntry::Segment(SegmentFile::Index { id: 3 }),
            ),
            (
                "00000000000000000003.log.tmp",
                ShardEntry::Segment(SegmentFile::Temporary { id: 3 }),
            ),
            (
                "00000000000000000003.cut-40",
                ShardEntry::Segment(SegmentFile::Cut { id: 3, number: 40 }),
            ),
            ("durable.mark", ShardEntry::Sidecar(Sidecar::DurableMark)),
            ("offload.manifest", ShardEntry::Sidecar(Sidecar::Manifest)),
            ("offload.tmp", ShardEntry::Temporary(Sidecar::Manifest)),
            ("keys.idx.tmp", ShardEntry::Temporary(Sidecar::KeyIndex)),
            ("3.log", ShardEntry::Stray),
            ("18446744073709551616.log", ShardEntry::Stray),
            ("18446744073709551616.index", ShardEntry::Stray),
            ("notes.log", ShardEntry::Stray),
            (".log", ShardEntry::Stray),
            ("00000000000000000003.index.log", ShardEntry::Stray),
            ("", ShardEntry::Unknown),
            ("schema", ShardEntry::Unknown),
            ("epochs~", ShardEntry::Unknown),
            ("00000000000000000003.cut-x", ShardEntry::Unknown),
            ("00000000000000000003", ShardEntry::Unknown),
        ] {
            assert_eq!(ShardEntry::of(name), entry, "{name:?}");
        }
    }
}
