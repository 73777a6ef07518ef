//! Where a record that does not decode would end.

use ondisk::describe::Bits;
use ondisk::felix::{ProducerTag, Record, RecordKind, RecordLayout};
use zerocopy::FromBytes;

/// The first word of a record: what a report shows, and what the record's length follows from.
#[derive(Clone, Copy)]
pub(super) struct Word(pub(super) u32);

impl Word {
    /// The word of the record that `bytes` begin with; none when not even its header is there.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let (head, _) = RecordLayout::ref_from_prefix(bytes).ok()?;
        Some(Self(head.word.get()))
    }

    /// Bytes of the record as its word gives them: header, tag if it opens a batch, payload. Whatever else is wrong with
    /// the word does not matter.
    pub(super) fn record_bytes(self) -> u64 {
        let opens = self.bits("kind") & RecordKind::Opens as u64 != 0;
        let tag = if opens { ProducerTag::MIN as u64 } else { 0 };
        Record::MIN as u64 + tag + self.bits("payload_len")
    }

    /// The part of the word that a row of the definition is. Reports only, so the definition is looked up.
    fn bits(self, row: &str) -> u64 {
        let bits = Record::KIND.row(row).and_then(|(_, row)| row.bits);
        bits.map_or(0, |Bits { low, high, .. }| {
            (u64::from(self.0) >> low) & ((1 << (high - low + 1)) - 1)
        })
    }
}
