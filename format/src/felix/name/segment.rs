//! Names of segments and of what lies beside them (Felix 2.5, 2.6).

use core::fmt;

use super::number::{self, ID_DIGITS};

/// A file that belongs to one segment. The number in front is an id, not an offset: the base is in the header.
///
/// Displays as its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentFile {
    /// `<20 digits>.log`, the segment itself.
    Log {
        /// Id of the segment.
        id: u64,
    },
    /// `<20 digits>.index`, its sparse index.
    Index {
        /// Id of the segment.
        id: u64,
    },
    /// `<20 digits>.log.tmp`, a segment that a truncation or reset writes anew. Recovery looks at it (Felix 7.6).
    Temporary {
        /// Id of the segment.
        id: u64,
    },
    /// `<20 digits>.cut-<number>`, bytes that a repair took out of the segment. Never read, counted or removed.
    Cut {
        /// Id of the segment.
        id: u64,
        /// The position of the cut, 0 for a whole file, or the next number that was free.
        number: u64,
    },
}

impl SegmentFile {
    /// Reads a file name; none when it is not one of these.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let (id, part) = name.split_at_checked(ID_DIGITS)?;
        let id = number::id(id)?;
        Some(match part {
            ".log" => Self::Log { id },
            ".index" => Self::Index { id },
            ".log.tmp" => Self::Temporary { id },
            _ => Self::Cut {
                id,
                number: number::plain(part.strip_prefix(".cut-")?)?,
            },
        })
    }

    /// Id of the segment that it belongs to.
    #[must_use]
    pub fn id(self) -> u64 {
        match self {
            Self::Log { id }
            | Self::Index { id }
            | Self::Temporary { id }
            | Self::Cut { id, .. } => id,
        }
    }
}

impl fmt::Display for SegmentFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log { id } => write!(f, "{id:020}.log"),
            Self::Index { id } => write!(f, "{id:020}.index"),
            Self::Temporary { id } => write!(f, "{id:020}.log.tmp"),
            Self::Cut { id, number } => write!(f, "{id:020}.cut-{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::SegmentFile;

    #[test]
    fn both_ways() {
        for (name, file) in [
            ("00000000000000000000.log", SegmentFile::Log { id: 0 }),
            (
                "18446744073709551615.log",
                SegmentFile::Log { id: u64::MAX },
            ),
            ("00000000000000000007.index", SegmentFile::Index { id: 7 }),
            (
                "00000000000000000004.log.tmp",
                SegmentFile::Temporary { id: 4 },
            ),
            (
                "00000000000000000002.cut-0",
                SegmentFile::Cut { id: 2, number: 0 },
            ),
            (
                "00000000000000000001.cut-168",
                SegmentFile::Cut { id: 1, number: 168 },
            ),
            (
                "00000000000000000001.cut-18446744073709551615",
                SegmentFile::Cut {
                    id: 1,
                    number: u64::MAX,
                },
            ),
        ] {
            assert_eq!(SegmentFile::parse(name), Some(file), "{name}");
            assert_eq!(file.to_string(), name);
        }
    }

    #[test]
    fn every_id_renders_to_a_name_that_reads_back() {
        let ids = (0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, u64::MAX - (1 << bit)]);
        for id in ids {
            for file in [
                SegmentFile::Log { id },
                SegmentFile::Index { id },
                SegmentFile::Temporary { id },
                SegmentFile::Cut { id, number: id },
            ] {
                assert_eq!(SegmentFile::parse(&file.to_string()), Some(file));
                assert_eq!(file.id(), id);
            }
        }
    }

    #[test]
    fn other_names() {
        for name in [
            "",
            "00000000000000000000",
            "0.log",
            "0000000000000000000.log",
            "000000000000000000000.log",
            "18446744073709551616.log",
            "+0000000000000000001.log",
            "0000000000000000000é.log",
            "0000000000000000000x.log",
            "00000000000000000000.LOG",
            "00000000000000000000.log ",
            "00000000000000000000.index.tmp",
            "00000000000000000000.cut-",
            "00000000000000000000.cut-01",
            "00000000000000000000.cut-+1",
            "00000000000000000000.cut-18446744073709551616",
            "00000000000000000000.log.tmp.tmp",
        ] {
            assert_eq!(SegmentFile::parse(name), None, "{name}");
        }
    }
}
