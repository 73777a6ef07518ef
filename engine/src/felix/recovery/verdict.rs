//! Whether a record that does not decode may be cut off (Felix 7.3).
//!
//! What decides is trust in the length. A verified header with too few bytes behind it was never finished, and nobody was
//! told that the record exists. A bad header checksum is an unfinished write or rot, and nothing here picks one. A bad
//! checksum on a complete record, a wrong offset or an impossible length is rot, since no writer makes them. The durable
//! mark can prove more: what begins past it was never flushed.

use std::io;

use super::{Provable, Settings};
use crate::felix::error::CorruptionKind;
use crate::felix::mark::Mark;
use crate::felix::segment::{Failure, RECORD_HEADER_BYTES};

/// The rule that allowed a cut, by the name under which it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// An unfinished last record.
    TornTail,
    /// A damaged end, cut because the caller opted in.
    ChecksumTail,
    /// Damage that begins past the durable mark.
    PastDurableMark,
    /// Zeros that a power loss left.
    ZeroTail,
}

impl Rule {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TornTail => "torn_tail",
            Self::ChecksumTail => "checksum_tail",
            Self::PastDurableMark => "past_durable_mark",
            Self::ZeroTail => "zero_tail",
        }
    }
}

/// A setting that would turn a refusal into a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptIn {
    /// `repair_checksum_tail`.
    RepairChecksumTail,
    /// `provable.zero_tail_without_mark`.
    ZeroTailWithoutMark,
}

impl OptIn {
    /// The setting's name.
    #[must_use]
    pub const fn setting(self) -> &'static str {
        match self {
            Self::RepairChecksumTail => "repair_checksum_tail",
            Self::ZeroTailWithoutMark => "provable.zero_tail_without_mark",
        }
    }
}

/// What is to be done about a record that does not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Cut there, and name this rule.
    Cut(Rule),
    /// Refuse; the setting that would allow a cut, if one would.
    Refuse(Option<OptIn>),
}

/// The rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Rule 2.
    pub past_durable_mark: bool,
    /// Rule 3.
    pub checksum_tail: bool,
    /// Rule 4.
    pub zero_tail: bool,
    /// Rule 4 without a mark.
    pub zero_tail_without_mark: bool,
}

impl Rules {
    /// As configured.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let Provable {
            past_durable_mark,
            zero_tail,
            zero_tail_without_mark,
            ..
        } = settings.provable;
        Self {
            past_durable_mark,
            checksum_tail: settings.repair_checksum_tail,
            zero_tail,
            zero_tail_without_mark,
        }
    }

    /// For a retired segment: rule 3 off, rule 2 on (Felix 7.8).
    #[must_use]
    pub fn for_retired(settings: &Settings) -> Self {
        Self {
            past_durable_mark: true,
            checksum_tail: false,
            ..Self::of(settings)
        }
    }
}

/// Decides on `failure` in a segment of `eof` bytes. `zeros` finds where the zeros at the end of the file begin, at the
/// failure or behind it; it is asked only where the answer matters.
///
/// ```
/// use ondisk::felix::DurableMark;
/// use ondisk_engine::felix::error::CorruptionKind;
/// use ondisk_engine::felix::mark::Mark;
/// use ondisk_engine::felix::recovery::{Rule, Rules, Settings, Verdict, judge};
/// use ondisk_engine::felix::segment::Failure;
///
/// let failure = Failure {
///     position: 4000,
///     kind: CorruptionKind::RecordChecksum { expected: 1, found: 2 },
///     end: Some(4096),
/// };
/// let rules = Rules::of(&Settings::default());
/// let mark = |synced_bytes| Mark(Some(DurableMark { segment: 0, synced_bytes }));
/// let no_zeros = || Ok(None);
/// let unflushed = judge(&failure, 0, 5000, rules, mark(4000), no_zeros)?;
/// assert_eq!(unflushed, Verdict::Cut(Rule::PastDurableMark));
/// let flushed = judge(&failure, 0, 5000, rules, mark(4096), no_zeros)?;
/// assert_eq!(flushed, Verdict::Refuse(None));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of `zeros`.
pub fn judge(
    failure: &Failure,
    segment: u64,
    eof: u64,
    rules: Rules,
    mark: Mark,
    zeros: impl FnOnce() -> io::Result<Option<u64>>,
) -> io::Result<Verdict> {
    use CorruptionKind::{
        GenerationStartLength, OffsetOverflow, RecordTag, RecordVersion, Truncated, Undescribed,
    };
    match failure.kind {
        RecordVersion { .. }
        | GenerationStartLength { .. }
        | RecordTag { .. }
        | OffsetOverflow { .. }
        | Undescribed { .. } => return Ok(Verdict::Refuse(None)),
        Truncated { .. } => return Ok(Verdict::Cut(Rule::TornTail)),
        _ => {}
    }
    if rules.past_durable_mark
        && mark
            .unsynced_from(segment)
            .is_some_and(|from| failure.position >= from)
    {
        return Ok(Verdict::Cut(Rule::PastDurableMark));
    }
    let at_the_end = ends_the_file(failure, eof);
    if rules.checksum_tail && at_the_end {
        return Ok(Verdict::Cut(Rule::ChecksumTail));
    }
    if rules.zero_tail && zeros_end_it(failure, segment, eof, mark, zeros()?) {
        if mark.0.is_some() || rules.zero_tail_without_mark {
            return Ok(Verdict::Cut(Rule::ZeroTail));
        }
        return Ok(Verdict::Refuse(Some(OptIn::ZeroTailWithoutMark)));
    }
    Ok(Verdict::Refuse(
        at_the_end.then_some(OptIn::RepairChecksumTail),
    ))
}

/// The geometry of rule 3: nothing can lie behind the record.
fn ends_the_file(failure: &Failure, eof: u64) -> bool {
    let header_end = failure.position.saturating_add(RECORD_HEADER_BYTES);
    match failure.kind {
        CorruptionKind::RecordHeaderChecksum { .. } => header_end >= eof,
        CorruptionKind::RecordChecksum { .. } | CorruptionKind::OffsetOutOfOrder { .. } => {
            failure.end.is_some_and(|end| end >= eof)
        }
        // The tag is not counted here.
        CorruptionKind::RecordTooLarge { payload_len, .. } => {
            header_end.saturating_add(payload_len.into()) > eof
        }
        _ => false,
    }
}

/// Bytes of the smallest unit that a device writes whole.
const SECTOR: u64 = 512;

/// The geometry of rule 4: the zeros begin with the record, or take at least a whole sector of it, up to the end of the
/// file; and the mark does not vouch for them.
fn zeros_end_it(failure: &Failure, segment: u64, eof: u64, mark: Mark, zeros: Option<u64>) -> bool {
    let Some(zeros) = zeros else { return false };
    if zeros < mark.synced_through(segment) {
        return false;
    }
    let record_end = failure
        .end
        .unwrap_or(failure.position.saturating_add(RECORD_HEADER_BYTES));
    zeros == failure.position
        || zeros
            .checked_next_multiple_of(SECTOR)
            .is_some_and(|whole| whole < record_end.min(eof))
}
