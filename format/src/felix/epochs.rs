//! The generation history (Felix 11.2).

use alloc::vec::Vec;

use crate::{Fault, Format, format};

/// Where a generation began.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochEntry {
    /// Strictly ascending.
    pub generation: u64,
    /// Offset of its first record; never descending.
    pub start_offset: u64,
}

/// Where each generation began. Losing it costs the automatic repair of a divergence, never a record.
#[format(
    reads = 1..=1, file = "epochs", derived, trailing = ignore,
    check = generations_ascend, arbitrary = settle,
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// `FLEP`.
    #[format(magic = b"FLEP")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// At most 512 are written; more are read and kept.
    #[format(count(entries))]
    count: u16,
    /// Over the entries.
    #[format(crc32(entries))]
    body_crc: u32,
    /// Oldest first.
    pub entries: Vec<EpochEntry>,
}

fn generations_ascend(view: &EpochsView<'_>) -> Result<(), Fault> {
    let mut entries = view.entries().iter();
    let Some(mut before) = entries.next() else {
        return Ok(());
    };
    for entry in entries {
        if entry.generation() <= before.generation() || entry.start_offset() < before.start_offset()
        {
            let rule = "generations strictly ascend and their starts never descend";
            return Err(Fault::Refused {
                rule,
                found: entry.generation(),
            });
        }
        before = entry;
    }
    Ok(())
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut epochs: Epochs) -> Epochs {
    epochs.entries.sort_by_key(|entry| entry.generation);
    epochs.entries.dedup_by_key(|entry| entry.generation);
    let mut least = 0;
    for entry in &mut epochs.entries {
        entry.start_offset = entry.start_offset.max(least);
        least = entry.start_offset;
    }
    epochs
}
