//! One call site for each function whose instructions are counted: generated from the definitions, and by hand.
//! `docs/performance.md` has the commands.

#[path = "../benches/by_hand/mod.rs"]
mod by_hand;

use std::hint::black_box;

use ondisk::felix::{
    Index, IndexEntry, IndexEntryView, IndexView, Record, RecordKind, RecordView, SegmentHeader,
    SegmentHeaderView,
};
use ondisk::{EncodeError, Error, FeatureLevels, WriteVersion};

/// How often each is called: divide what callgrind counts by it.
const CALLS: usize = 1000;

mod generated {
    use super::*;

    #[inline(never)]
    pub fn header(bytes: &[u8]) -> Result<SegmentHeaderView<'_>, Error> {
        SegmentHeader::view(bytes)
    }

    #[inline(never)]
    pub fn record(bytes: &[u8], version: u32) -> Result<(RecordView<'_>, &[u8]), Error> {
        Record::view_prefix(bytes, version)
    }

    #[inline(never)]
    pub fn index_entry(bytes: &[u8]) -> Result<(IndexEntryView<'_>, &[u8]), Error> {
        IndexEntry::view_prefix(bytes)
    }

    #[inline(never)]
    pub fn index(bytes: &[u8]) -> Result<IndexView<'_>, Error> {
        Index::view(bytes)
    }

    #[inline(never)]
    pub fn write(
        offset: u64,
        timestamp_micros: u64,
        payload: &[u8],
        version: WriteVersion<SegmentHeader>,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let record = Record {
            kind: RecordKind::Ordinary,
            offset,
            timestamp_micros,
            tag: None,
            payload,
        };
        record.encode(version, out)
    }
}

mod hand {
    use super::by_hand;
    use super::by_hand::Refused;

    #[inline(never)]
    pub fn header(bytes: &[u8]) -> Result<&by_hand::SegmentHeader, Refused> {
        by_hand::header(bytes)
    }

    #[inline(never)]
    pub fn record(bytes: &[u8], version: u32) -> Result<(by_hand::Record<'_>, &[u8]), Refused> {
        by_hand::record(bytes, version)
    }

    #[inline(never)]
    pub fn index_entry(bytes: &[u8]) -> Result<(&by_hand::IndexEntry, &[u8]), Refused> {
        by_hand::index_entry(bytes)
    }

    #[inline(never)]
    pub fn index(bytes: &[u8]) -> Result<&[by_hand::IndexEntry], Refused> {
        by_hand::index(bytes)
    }

    #[inline(never)]
    pub fn write(
        offset: u64,
        timestamp_micros: u64,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        by_hand::write_ordinary(offset, timestamp_micros, payload, out)
    }
}

fn main() {
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    let (mut header, mut record, mut entry) = (Vec::new(), Vec::new(), Vec::new());
    let payload = [7; 40];
    let written = SegmentHeader {
        base_offset: 1,
        created_at_micros: 2,
    };
    written
        .encode(version, &mut header)
        .expect("a header that can be written");
    generated::write(7, 9, &payload, version, &mut record).expect("a record that can be written");
    let written = IndexEntry {
        offset: 7,
        position: 32,
    };
    written
        .encode(&mut entry)
        .expect("an entry that can be written");

    let mut index = Vec::new();
    let written = Index {
        base_offset: 1,
        entries: vec![written; 1000],
    };
    written
        .encode(Index::write_version(&FeatureLevels::NONE), &mut index)
        .expect("an index that can be written");

    let mut out = Vec::with_capacity(record.len());
    for _ in 0..CALLS {
        assert!(generated::header(black_box(&header)).is_ok());
        assert!(generated::record(black_box(&record), version.get()).is_ok());
        assert!(generated::index_entry(black_box(&entry)).is_ok());
        assert!(generated::index(black_box(&index)).is_ok());
        out.clear();
        assert!(generated::write(7, 9, black_box(&payload), version, &mut out).is_ok());
        assert_eq!(out, record);

        assert!(hand::header(black_box(&header)).is_ok());
        assert!(hand::record(black_box(&record), version.get()).is_ok());
        assert!(hand::index_entry(black_box(&entry)).is_ok());
        assert!(hand::index(black_box(&index)).is_ok());
        out.clear();
        assert!(hand::write(7, 9, black_box(&payload), &mut out).is_ok());
        assert_eq!(out, record);
    }
}
