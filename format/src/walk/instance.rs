//! What is known of the instance being walked: where its rows stand, the numbers in them, the lengths that bound them.

use core::ops::Range;

use super::MOST_ROWS;
use super::room::Place;
use super::value::{is_null, is_signed, number_in, sign_extend};
use crate::describe::{Kind, Presence, Role, Row, Rows, Type};
use crate::error::{Error, Fault};

/// A position that is not known.
const UNKNOWN: usize = usize::MAX;

/// An instance: its kind, and where its rows stand.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its kind.
    pub kind: &'static Kind,
    /// The version that governs it, once its version row was reached.
    pub version: u32,
    /// How many instances enclose it.
    pub depth: usize,
    /// Its place in a sequence.
    pub index: Option<usize>,
    /// Its first byte in the input.
    pub start: usize,
    /// The byte behind it, if that is known.
    pub end: Option<usize>,
    begins: [usize; MOST_ROWS],
    ends: [usize; MOST_ROWS],
    /// Where the rows end whose length a row gives.
    bounds: [usize; MOST_ROWS],
    numbers: [u64; MOST_ROWS],
    known: u64,
    /// Rows that were read.
    pub(super) reached: usize,
    /// A length row that does not fit, and how; said when its rows are over.
    pub(super) overlong: Option<(usize, Error)>,
}

/// A checksum as stored and as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// As stored.
    pub stored: u64,
    /// Over the bytes that are there.
    pub computed: u64,
}

impl Instance {
    pub(super) fn new(kind: &'static Kind, place: &Place) -> Self {
        Self {
            kind,
            version: place.version,
            depth: place.depth,
            index: place.index,
            start: place.start,
            end: place.exact.then_some(place.end),
            begins: [UNKNOWN; MOST_ROWS],
            ends: [UNKNOWN; MOST_ROWS],
            bounds: [UNKNOWN; MOST_ROWS],
            numbers: [0; MOST_ROWS],
            known: 0,
            reached: 0,
            overlong: None,
        }
    }

    /// The bytes of a row; none for one that is absent.
    #[must_use]
    pub fn range(&self, row: usize) -> Option<Range<usize>> {
        let (begin, end) = (*self.begins.get(row)?, *self.ends.get(row)?);
        (begin != UNKNOWN && end != UNKNOWN).then_some(begin..end)
    }

    /// The bytes of several rows.
    #[must_use]
    pub fn span(&self, rows: Rows) -> Option<Range<usize>> {
        let (from, to) = (usize::from(rows.from), usize::from(rows.to));
        let begin = *self.begins.get(from)?;
        let known = |at: Option<&usize>| at.copied().filter(|&at| at != UNKNOWN);
        let end = if to == self.kind.rows().len() {
            self.end?
        } else {
            // Where the next row begins is known of a foot even if what stands before it makes no sense.
            known(self.begins.get(to)).or_else(|| known(self.ends.get(to.checked_sub(1)?)))?
        };
        (begin != UNKNOWN && begin <= end).then_some(begin..end)
    }

    /// The number in a row, zero-extended from an unsigned type and sign-extended from a signed one.
    #[must_use]
    pub fn number(&self, row: usize) -> Option<u64> {
        let known = row < MOST_ROWS && self.known & (1 << row) != 0;
        known.then(|| self.numbers.get(row).copied())?
    }

    /// The checksum in a row of an instance in `bytes`, if the row and all that it covers were found.
    #[must_use]
    pub fn sum(&self, row: usize, bytes: &[u8]) -> Option<Sum> {
        let described = self.kind.rows().get(row)?;
        let Role::Checksum(algorithm, spans) = described.role else {
            return None;
        };
        let own = self.range(row)?;
        if own.is_empty() {
            return None;
        }
        let mut computed = 0;
        for &rows in spans {
            computed = algorithm.continue_from(computed, bytes.get(self.span(rows)?)?);
        }
        let stored = number_in(bytes.get(own)?, described.endian);
        Some(Sum { stored, computed })
    }

    pub(super) fn numbers(&self) -> &[u64] {
        self.numbers
            .get(..self.kind.rows().len())
            .unwrap_or(&self.numbers)
    }

    pub(super) fn begin(&mut self, row: usize, at: usize) {
        if let Some(begin) = self.begins.get_mut(row) {
            *begin = at;
        }
    }

    pub(super) fn finish(&mut self, row: usize, at: usize) {
        if let Some(end) = self.ends.get_mut(row) {
            *end = at;
        }
    }

    pub(super) fn learn(&mut self, row: usize, number: u64) {
        if let Some(slot) = self.numbers.get_mut(row) {
            *slot = number;
            self.known |= 1 << row;
        }
    }

    /// Learns the number that stands in the bytes of a row.
    pub(super) fn learn_stored(&mut self, row: usize, stored: &[u8]) -> u64 {
        let Some(described) = self.kind.rows().get(row) else {
            return 0;
        };
        let raw = number_in(stored, described.endian);
        let number = match described.ty {
            Type::Int(bytes) => sign_extend(raw, u32::from(bytes) * 8) as u64,
            _ => raw,
        };
        self.learn(row, number);
        raw
    }

    pub(super) fn bound(&self, row: usize) -> Option<usize> {
        self.bounds.get(row).copied().filter(|&end| end != UNKNOWN)
    }

    pub(super) fn set_bound(&mut self, row: usize, end: usize) {
        if let Some(bound) = self.bounds.get_mut(row) {
            *bound = end;
        }
    }

    /// Whether a row is not there, as far as the rows before it tell: a tag byte tells for itself.
    pub(super) fn lacks(&self, row: &Row) -> bool {
        if !(row.since..=row.until).contains(&self.version) {
            return true;
        }
        match row.presence {
            Presence::When { holds, .. } => !holds(self.numbers(), self.version),
            Presence::Null { len, null, .. } => self
                .signed(usize::from(len))
                .is_some_and(|number| is_null(null, number)),
            Presence::Always | Presence::Tag { .. } => false,
        }
    }

    /// The number in a row with its sign.
    fn signed(&self, row: usize) -> Option<i128> {
        let number = self.number(row)?;
        if is_signed(self.kind.rows().get(row)?.ty) {
            Some(i128::from(number as i64))
        } else {
            Some(i128::from(number))
        }
    }

    /// The length or count in `row` that is about `target`; none while it is not known.
    pub(super) fn amount(&self, row: usize, target: usize) -> Result<Option<u64>, Fault> {
        let Some(number) = self.signed(row) else {
            return Ok(None);
        };
        let amount = match self.kind.rows().get(target).map(|target| target.presence) {
            Some(Presence::Null { len, null, bias }) if usize::from(len) == row => {
                if is_null(null, number) {
                    return Ok(Some(0));
                }
                number - i128::from(bias)
            }
            _ => number,
        };
        u64::try_from(amount)
            .map(Some)
            .map_err(|_| Fault::TooSmall {
                found: i64::try_from(number).unwrap_or(i64::MIN),
                limit: 0,
            })
    }

    /// Measures the rows from `from` on back from `end`, where `to` begins, and returns where they begin. Learns the
    /// numbers that it comes by, since a length may stand behind what it measures. None if a row has no length yet.
    pub(super) fn measure(
        &mut self,
        bytes: &[u8],
        from: usize,
        to: usize,
        end: usize,
    ) -> Option<usize> {
        let mut at = end;
        for row in (from..to).rev() {
            at = self.step_back(bytes, row, at)?;
        }
        Some(at)
    }

    /// Where `row` begins when it ends at `end`.
    pub(super) fn step_back(&mut self, bytes: &[u8], row: usize, end: usize) -> Option<usize> {
        let described = self.kind.rows().get(row)?;
        if matches!(described.presence, Presence::When { .. }) {
            // The rows of its condition may not have been read yet.
            return None;
        }
        if described.bits.is_some() || self.lacks(described) {
            return Some(end);
        }
        let value = match described.ty.size() {
            Some(size) => size,
            None => self.length_of(row)?,
        };
        let tag = match described.presence {
            Presence::Tag { fixed: true } => 1,
            Presence::Tag { fixed: false } => return None,
            _ => 0,
        };
        let at = end.saturating_sub(value.saturating_add(tag));
        if matches!(described.ty, Type::Uint(_) | Type::Int(_))
            && let Some(stored) = bytes.get(at..end)
        {
            self.learn_stored(row, stored);
        }
        Some(at)
    }

    /// The length of a row that a row gives for it alone.
    fn length_of(&self, row: usize) -> Option<usize> {
        let mut rows = self.kind.rows().iter().enumerate();
        let (len, _) = rows.find(|(_, of)| match of.role {
            Role::Len(span) => span.contains(row) && span.to - span.from == 1,
            _ => false,
        })?;
        usize::try_from(self.amount(len, row).ok()??).ok()
    }
}
