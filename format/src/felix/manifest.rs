//! Segments with a copy in the object store (Felix 11.6).

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Fault, format};

/// A sealed segment that was copied.
#[format(check = last_is_not_below_base, arbitrary = settle_entry)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Id of the segment.
    pub segment: u64,
    /// Its first offset.
    pub base_offset: u64,
    /// Its last offset, inclusive.
    pub last_offset: u64,
    /// Bytes of the object: the valid bytes of the segment.
    pub size: u64,
    /// Timestamp of its first record, microseconds.
    pub oldest_micros: u64,
    /// Timestamp of its last record, microseconds.
    pub newest_micros: u64,
    /// CRC-32 over the object.
    pub checksum: u32,
    /// Bytes of the key.
    #[format(len(key))]
    key_len: u16,
    /// Used as it stands, never recomputed.
    pub key: String,
}

/// The copies in the object store. Once a local file is gone its entry is all that says its records exist.
#[format(
    reads = 1..=1, file = "offload.manifest", authoritative, order(crc, ..),
    check = entries_do_not_overlap, arbitrary = settle,
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// `FLOF`.
    #[format(magic = b"FLOF")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Not read.
    #[format(reserved)]
    reserved: u16,
    /// Number of entries.
    #[format(count(entries))]
    count: u32,
    /// By base offset when written; gaps are fine.
    pub entries: Vec<ManifestEntry>,
    /// Over every byte before it, checked first.
    #[format(crc32(..crc))]
    crc: u32,
}

fn last_is_not_below_base(entry: &ManifestEntryView<'_>) -> Result<(), Fault> {
    if entry.last_offset() < entry.base_offset() {
        return Err(Fault::Refused {
            rule: "the last offset is not below the base",
            found: entry.last_offset(),
        });
    }
    Ok(())
}

/// Entries may stand in any order, though they are written by base: only the other order costs a sorted copy.
fn entries_do_not_overlap(view: &ManifestView<'_>) -> Result<(), Fault> {
    let mut end = None;
    let in_order = view.entries().iter().all(|entry| {
        let follows = end.is_none_or(|end| end < entry.base_offset());
        end = Some(entry.last_offset());
        follows
    });
    if in_order {
        return Ok(());
    }
    let mut ranges: Vec<_> = view
        .entries()
        .iter()
        .map(|entry| (entry.base_offset(), entry.last_offset()))
        .collect();
    ranges.sort_unstable();
    match ranges
        .windows(2)
        .find(|pair| matches!(pair, [(_, end), (base, _)] if base <= end))
    {
        Some([_, (base, _)]) => Err(Fault::Refused {
            rule: "no two entries overlap",
            found: *base,
        }),
        _ => Ok(()),
    }
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle_entry(mut entry: ManifestEntry) -> ManifestEntry {
    entry.last_offset = entry.last_offset.max(entry.base_offset);
    entry
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut manifest: Manifest) -> Manifest {
    manifest.entries.sort_by_key(|entry| entry.base_offset);
    let mut end = None;
    manifest.entries.retain(|entry| {
        let follows = end.is_none_or(|end| end < entry.base_offset);
        if follows {
            end = Some(entry.last_offset);
        }
        follows
    });
    manifest
}
