//! What a plan reports (Felix 7.1).

use ondisk::felix::name::SegmentFile;

use super::Rule;
use crate::felix::error::CorruptionKind;

/// A finding, in the order in which it was planned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Report {
    /// The end of a segment is cut off.
    Cut(Cut),
    /// A segment is removed.
    Removed(Removed),
    /// A retired segment that was never sealed is cut, and the segment behind it may go (Felix 7.8).
    UnfinishedRoll(UnfinishedRoll),
    /// The index of a sealed segment is written anew.
    IndexRebuilt {
        /// Id of the segment.
        segment: u64,
        /// Why.
        reason: IndexReason,
    },
    /// Flushed bytes are gone and no tear explains it; nothing is done (Felix 7.7).
    ShortOfMark {
        /// The segment that the mark names.
        segment: u64,
        /// Where it ends, in bytes; 0 when it is not there.
        position: u64,
        /// Bytes missing up to what the mark vouches for.
        bytes: u64,
    },
    /// A whole new segment that waited under its temporary name is renamed (Felix 7.6).
    InterruptedReset {
        /// Id of the segment.
        segment: u64,
    },
}

/// The end of a segment that is cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What allows it.
    pub rule: Rule,
    /// Id of the segment.
    pub segment: u64,
    /// Where it ends afterwards, in bytes.
    pub position: u64,
    /// Bytes dropped.
    pub bytes: u64,
    /// The decode error behind it.
    pub cause: CorruptionKind,
    /// The mark vouches for what is cut: acknowledged records may be lost with it.
    pub below_durable_mark: bool,
    /// The file that keeps the bytes; none for a torn tail, which nobody was told of.
    pub saved: Option<SegmentFile>,
}

/// A segment that is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Why it may go.
    pub why: Removal,
    /// Id of the segment.
    pub segment: u64,
    /// Its length, of what a cut before this left of it.
    pub bytes: u64,
    /// The name that it is kept under, if it held more than a header and has no copy elsewhere.
    pub saved: Option<SegmentFile>,
}

/// Why a segment may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// It has no header and lies between two segments that join without it (Felix 7.4).
    BlankInsideChain,
    /// The newest, without a header, or empty and misplaced (Felix 7.5).
    AbandonedSegment,
    /// The only one, whose creation failed (Felix 7.6).
    BlankFirst,
    /// The manifest holds copies of it and of what is missing behind it (Felix 7.7).
    OffloadedGap,
}

impl Removal {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlankInsideChain => "blank_inside_chain",
            Self::AbandonedSegment => "abandoned_segment",
            Self::BlankFirst => "blank_first",
            Self::OffloadedGap => "offloaded_gap",
        }
    }
}

/// A retired segment that was never sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedRoll {
    /// Id of the retired segment.
    pub segment: u64,
    /// Where it ends afterwards, in bytes.
    pub position: u64,
    /// Bytes dropped from it.
    pub bytes: u64,
    /// The decode error behind the cut, if a record was cut.
    pub cause: Option<CorruptionKind>,
    /// Whether the cut lies below what the mark vouches for.
    pub below_durable_mark: bool,
    /// The file that keeps the bytes cut off.
    pub saved_cut: Option<SegmentFile>,
    /// The segment behind it, if that goes too.
    pub deleted: Option<u64>,
    /// The name that the segment behind it is kept under.
    pub saved_segment: Option<SegmentFile>,
}

/// Why an index is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexReason {
    /// It does not load, or has no entry to start from.
    Missing,
    /// It loads, and an entry is wrong.
    Mismatch,
    /// It was right; everything is verified, so everything is rewritten.
    VerifyAll,
}

impl IndexReason {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Mismatch => "mismatch",
            Self::VerifyAll => "verify_all",
        }
    }
}

impl Report {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Cut(cut) => cut.rule.name(),
            Self::Removed(removed) => removed.why.name(),
            Self::UnfinishedRoll(_) => "unfinished_roll",
            Self::IndexRebuilt { .. } => "index_rebuilt",
            Self::ShortOfMark { .. } => "short_of_mark",
            Self::InterruptedReset { .. } => "interrupted_reset",
        }
    }

    /// Id of the segment that it is about.
    #[must_use]
    pub const fn segment(&self) -> u64 {
        match self {
            Self::Cut(cut) => cut.segment,
            Self::Removed(removed) => removed.segment,
            Self::UnfinishedRoll(roll) => roll.segment,
            Self::IndexRebuilt { segment, .. }
            | Self::ShortOfMark { segment, .. }
            | Self::InterruptedReset { segment } => *segment,
        }
    }

    /// Whether it says that something is wrong. An index that was right and is rewritten all the same is not.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        !matches!(
            self,
            Self::IndexRebuilt {
                reason: IndexReason::VerifyAll,
                ..
            }
        )
    }

    /// Whether records that were acknowledged may be lost: what the mark vouched for is gone or is cut, or a complete
    /// record is, by opt-in.
    #[must_use]
    pub fn may_have_lost_acknowledged(&self) -> bool {
        match self {
            Self::Cut(cut) => cut.below_durable_mark || cut.rule == Rule::ChecksumTail,
            Self::UnfinishedRoll(roll) => roll.below_durable_mark,
            Self::ShortOfMark { .. } => true,
            Self::Removed(_) | Self::IndexRebuilt { .. } | Self::InterruptedReset { .. } => false,
        }
    }

    /// Whether something is changed because of it.
    #[must_use]
    pub const fn is_repair(&self) -> bool {
        !matches!(self, Self::ShortOfMark { .. })
    }

    /// Names of the files that keep what is taken out, in order.
    #[must_use]
    pub fn saved(&self) -> Vec<SegmentFile> {
        match self {
            Self::Cut(Cut { saved, .. }) | Self::Removed(Removed { saved, .. }) => {
                saved.iter().copied().collect()
            }
            Self::UnfinishedRoll(roll) => roll
                .saved_cut
                .iter()
                .chain(&roll.saved_segment)
                .copied()
                .collect(),
            _ => Vec::new(),
        }
    }
}
