//! The vectors of the Felix specification, as the engine names what is wrong with them.

use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::{Index, SegmentHeader};
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::error::CorruptionKind::{self, *};
use ondisk_engine::felix::producer::{Answer, Batch, ProducerState};
use ondisk_engine::felix::projection::cache::Cache;
use ondisk_engine::felix::projection::counter::Counters;
use ondisk_engine::felix::segment::index::{Builder, Entries, Unusable};
use ondisk_engine::felix::segment::{self, Access, Met, Scan, Source};

const FILE_SEG: &str = "464c5347 0003 0000 0000000000000007 0000000000000009 4923c5eb 00000000 80000002 0000000000000007 \
    0000000000000009 ada59e0b e74229cc 0000000000000001 0000000000000002 00000002 6869 40000002 0000000000000008 \
    0000000000000009 2c15b1e0 2b03193a 796f 00000001 0000000000000009 000000000000000a c4050f8b b99a96df 7a";

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    let byte = |pair: &[char]| {
        u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("hexadecimal")
    };
    digits.chunks(2).map(byte).collect()
}

fn source(bytes: &[u8]) -> Source<'static> {
    Source::new(
        Arc::new(MemoryFile::of(bytes)),
        bytes.len() as u64,
        Access::default(),
    )
    .expect("a source")
}

fn scan(bytes: &[u8]) -> Result<Scan, CorruptionKind> {
    segment::full(&mut source(bytes), &mut |_| ControlFlow::Continue(()))
        .expect("memory can be read")
}

/// A record behind a header, both as given.
fn record(version: u32, base_offset: u64, record: &str) -> Option<CorruptionKind> {
    let mut bytes = Vec::new();
    let levels = FeatureLevels::new(&[("generation_start", 1)]);
    let version = SegmentHeader::write_at(version, &levels).expect("a version");
    SegmentHeader {
        base_offset,
        created_at_micros: 1,
    }
    .encode(version, &mut bytes)
    .expect("a header");
    bytes.extend(hex(record));
    scan(&bytes)
        .expect("the header is right")
        .failure
        .map(|failure| failure.kind)
}

#[test]
fn segment_headers() {
    let header =
        |text: &str| scan(&hex(text)).map(|scan| (scan.header.version, scan.header.base_offset));
    for (name, text, expected) in [
        (
            "V-SEG-2",
            "464c5347 0002 0000 0000000000000001 0000000000000002 7a09e5b1 00000000",
            Ok((2, 1)),
        ),
        (
            "V-SEG-3",
            "464c5347 0003 0000 0000000000000001 0000000000000002 adeb65e9 00000000",
            Ok((3, 1)),
        ),
        (
            "V-SEG-4",
            "464c5347 0004 0000 0000000000000001 0000000000000002 e7d5eea2 00000000",
            Ok((4, 1)),
        ),
        (
            "V-SEG-RES",
            "464c5347 0003 0000 0000000000000001 0000000000000002 adeb65e9 00000007",
            Ok((3, 1)),
        ),
        (
            "V-SEG-N-MAGIC",
            "464c5831 0003 0000 0000000000000001 0000000000000002 f32091aa 00000000",
            Err(SegmentMagic { found: 0x464c_5831 }),
        ),
        (
            "V-SEG-N-V1",
            "464c5347 0001 0000 0000000000000001 0000000000000002 d95f6318 00000000",
            Err(SegmentVersion { found: 1 }),
        ),
        (
            "V-SEG-5",
            "464c5347 0005 0000 0000000000000001 0000000000000002 30376efa 00000000",
            Err(SegmentVersion { found: 5 }),
        ),
        (
            "V-SEG-N-FLAGS",
            "464c5347 0003 0001 0000000000000001 0000000000000002 2a4daeaa 00000000",
            Err(SegmentFlags { found: 1 }),
        ),
        (
            "V-SEG-N-CRC",
            "464c5347 0003 0000 0000000000000001 0000000000000002 adeb65e8 00000000",
            Err(SegmentHeaderChecksum {
                expected: 0xadeb_65e8,
                found: 0xadeb_65e9,
            }),
        ),
        (
            "V-SEG-N-OVER",
            "464c5347 0003 0000 ffffffffffffffff 0000000000000002 2dfefc90 00000000",
            Err(OffsetOverflow { offset: u64::MAX }),
        ),
        (
            "V-SEG-3 cut to 31 bytes",
            "464c5347 0003 0000 0000000000000001 0000000000000002 adeb65e9 000000",
            Err(Truncated {
                needed: 32,
                available: 31,
            }),
        ),
    ] {
        assert_eq!(header(text), expected, "{name}");
    }
}

#[test]
fn records() {
    let plain = "00000002 0000000000000007 0000000000000009 c654de27 2402152c 6869";
    let opens = "80000002 0000000000000007 0000000000000009 ada59e0b e68043fb 0000000000000001 0000000000000002 00000003 6869";
    let generation =
        "20000008 0000000000000007 0000000000000009 ee845175 9902c8e5 0000000000000005";
    let zeros = "00000000000000000000000000000000000000000000000000000000";
    let (word, version) = (0x8000_0002, 2);
    for (name, version_base, text, expected) in [
        ("V-REC-PLAIN", (3, 7), plain, None),
        ("V-REC-OPENS", (3, 7), opens, None),
        ("V-REC-GEN", (4, 7), generation, None),
        (
            "V-REC-OPENS in v2",
            (2, 7),
            opens,
            Some(RecordVersion {
                found: word,
                version,
                needs: 3,
            }),
        ),
        (
            "V-REC-GEN in v3",
            (3, 7),
            generation,
            Some(RecordVersion {
                found: 0x2000_0008,
                version: 3,
                needs: 4,
            }),
        ),
        (
            "V-REC-PLAIN where 8 is wanted",
            (3, 8),
            plain,
            Some(OffsetOutOfOrder {
                expected: 8,
                found: 7,
            }),
        ),
        (
            "V-REC-PLAIN cut to 27",
            (3, 7),
            &plain[..plain.len() - 7],
            Some(Truncated {
                needed: 28,
                available: 27,
            }),
        ),
        (
            "V-REC-PLAIN cut to 29",
            (3, 7),
            &plain[..plain.len() - 2],
            Some(Truncated {
                needed: 30,
                available: 29,
            }),
        ),
        (
            "V-REC-LIMIT",
            (3, 7),
            "04000000 0000000000000007 0000000000000009 5c85a5b9 bd4c1aa3",
            Some(Truncated {
                needed: 67_108_892,
                available: 28,
            }),
        ),
        (
            "V-REC-N-LARGE",
            (3, 7),
            "04000001 0000000000000007 0000000000000009 db236efa 483628c2",
            Some(RecordTooLarge {
                payload_len: 67_108_865,
                limit: 67_108_864,
            }),
        ),
        (
            "V-REC-N-FLAGS, in every version",
            (2, 7),
            "c0000002 0000000000000007 0000000000000009 985d3e1d ab89bd01 0000000000000001 0000000000000002 00000003 6869",
            Some(RecordFlags { found: 0xc000_0002 }),
        ),
        (
            "V-REC-N-FLAGS2",
            (4, 7),
            "60000008 0000000000000007 0000000000000009 db7cf163 256f8556 0000000000000005",
            Some(RecordFlags { found: 0x6000_0008 }),
        ),
        (
            "V-REC-N-HDR",
            (3, 7),
            "00000003 0000000000000007 0000000000000009 c654de27 2402152c 6869",
            Some(RecordHeaderChecksum {
                expected: 0xc654_de27,
                found: 0x41f2_1564,
            }),
        ),
        (
            "V-REC-N-ZERO",
            (3, 7),
            zeros,
            Some(RecordHeaderChecksum {
                expected: 0,
                found: 0x0fd5_9b8d,
            }),
        ),
        (
            "V-REC-N-BODY",
            (3, 7),
            "00000002 0000000000000007 0000000000000009 c654de27 2402152c 686a",
            Some(RecordChecksum {
                expected: 0x2402_152c,
                found: 0xbd0b_4496,
            }),
        ),
        (
            "V-REC-N-GENLEN",
            (4, 7),
            "20000007 0000000000000007 0000000000000009 280662a0 8f927b74 00000000000005",
            Some(GenerationStartLength { payload_len: 7 }),
        ),
        (
            "V-REC-N-TAG0",
            (3, 7),
            "80000002 0000000000000007 0000000000000009 ada59e0b e4c6fda2 0000000000000001 0000000000000002 00000000 6869",
            Some(RecordTag { len: 0 }),
        ),
        (
            "V-REC-N-OVER",
            (3, 7),
            "00000000 ffffffffffffffff 0000000000000009 e167ae13 dade53c8",
            Some(OffsetOverflow { offset: u64::MAX }),
        ),
    ] {
        let (version, base) = version_base;
        assert_eq!(record(version, base, text), expected, "{name}");
    }
}

#[test]
fn a_whole_segment_and_its_index() {
    let bytes = hex(FILE_SEG);
    let mut index = Builder::new(60);
    let mut visit = |met: &Met<'_>| {
        index.meet(met);
        ControlFlow::Continue(())
    };
    let scan = segment::full(&mut source(&bytes), &mut visit)
        .expect("memory")
        .expect("a header");
    assert_eq!(
        (scan.next_offset, scan.valid_bytes, scan.kinds.total()),
        (10, 141, 3)
    );
    assert_eq!((scan.last_timestamp_micros, scan.failure), (Some(10), None));

    let entries = index.finish();
    let mut written = Vec::new();
    let index = Index {
        base_offset: 7,
        entries,
    };
    index
        .encode(Index::write_version(&FeatureLevels::NONE), &mut written)
        .expect("an index");
    let expected = "464c5349 0003 0000 0000000000000007 0000000000000000 0000000000000007 0000000000000020 \
        0000000000000009 0000000000000070";
    assert_eq!(written, hex(expected), "V-FILE-IDX");
}

#[test]
fn the_load_order_of_an_index() {
    let open = |text: &str, base| {
        let bytes = hex(text);
        Entries::open(Arc::new(MemoryFile::of(&bytes)), bytes.len() as u64, base).err()
    };
    for (name, text, base, expected) in [
        (
            "V-IDX-HDR",
            "464c5349 0003 0000 0000000000000001 0000000000000000",
            1,
            None,
        ),
        (
            "reserved is ignored",
            "464c5349 0003 0000 0000000000000001 0000000000000009",
            1,
            None,
        ),
        (
            "short",
            "464c5349 0003 0000 0000000000000001 00000000000000",
            1,
            Some(Unusable::Short),
        ),
        (
            "magic before version",
            "464c5347 0009 0000 0000000000000001 0000000000000000",
            1,
            Some(Unusable::Magic { found: 0x464c_5347 }),
        ),
        (
            "version before flags",
            "464c5349 0005 0001 0000000000000001 0000000000000000",
            1,
            Some(Unusable::Version { found: 5 }),
        ),
        (
            "flags before base",
            "464c5349 0002 0001 0000000000000001 0000000000000000",
            2,
            Some(Unusable::Flags),
        ),
        (
            "base",
            "464c5349 0004 0000 0000000000000001 0000000000000000",
            2,
            Some(Unusable::Base {
                expected: 2,
                found: 1,
            }),
        ),
    ] {
        assert_eq!(open(text, base), expected, "{name}");
    }
}

fn fed(records: usize) -> ProducerState {
    let bytes = hex(FILE_SEG);
    let mut state = ProducerState::default();
    let mut left = records;
    let mut visit = |met: &Met<'_>| {
        state.feed(met.record);
        left -= 1;
        if left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    segment::full(&mut source(&bytes), &mut visit)
        .expect("memory")
        .expect("a header");
    state
}

#[test]
fn producer_states() {
    let state = fed(3);
    assert_eq!(state.open(), None, "V-STATE-1");
    let known = state.known(1).expect("producer 1");
    assert_eq!(known.last(), 2);
    assert_eq!(
        known.window().collect::<Vec<_>>(),
        [Batch { first: 7, len: 2 }]
    );
    for (producer, sequence, expected) in [
        (1, 3, Answer::Next),
        (1, 5, Answer::Gap { expected: 3 }),
        (1, 2, Answer::Held { first: 7, last: 8 }),
        (1, 1, Answer::Expired),
        (9, 0, Answer::Unknown),
    ] {
        assert_eq!(
            state.classify(producer, sequence),
            expected,
            "V-STATE-3 ({producer}, {sequence})"
        );
    }

    let state = fed(1);
    assert_eq!(
        state.classify(1, 2),
        Answer::Partial {
            first: 7,
            held: 1,
            len: 2
        },
        "V-STATE-2"
    );
    assert_eq!(state.classify(1, 3), Answer::Unknown, "V-STATE-2");
}

/// What is wrong with a payload, as a cache and as a counter record.
fn payload(text: &str) -> (Option<CorruptionKind>, Option<CorruptionKind>) {
    let mut bytes = Vec::new();
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    SegmentHeader {
        base_offset: 0,
        created_at_micros: 0,
    }
    .encode(version, &mut bytes)
    .expect("a header");
    let payload = hex(text);
    let kind = ondisk::felix::RecordKind::Ordinary;
    let record = ondisk::felix::Record {
        kind,
        offset: 0,
        timestamp_micros: 0,
        tag: None,
        payload: &payload,
    };
    record.encode(version, &mut bytes).expect("a record");
    let (mut cache, mut counters) = (None, None);
    let mut visit = |met: &Met<'_>| {
        cache = Cache::default().apply(met.record).err();
        counters = Counters::default().apply(met.record).err();
        ControlFlow::Continue(())
    };
    segment::full(&mut source(&bytes), &mut visit)
        .expect("memory")
        .expect("a header");
    (cache, counters)
}

#[test]
fn cache_and_counter_records() {
    for (name, text, expected) in [
        ("V-C-PUT", "01 00 0000000000000000 01000000 6b 76", None),
        ("V-C-PUTX", "01 00 0068e5cf8b010000 01000000 6b 76", None),
        ("V-C-DEL", "01 01 0000000000000000 01000000 6b", None),
        (
            "V-C-PUT2",
            "02 00 0000000000000000 01000000 0900000000000000 6b 76",
            None,
        ),
        (
            "V-C-N-OP",
            "01 02 0000000000000000 01000000 6b",
            Some(CacheRecordOp { found: 2 }),
        ),
        (
            "V-C-N-V2DEL",
            "02 01 0000000000000000 01000000 0900000000000000 6b",
            Some(CacheRecordOp { found: 1 }),
        ),
        (
            "too short",
            "01 00 0000000000000000 010000",
            Some(CacheRecordTooShort {
                needed: 14,
                available: 13,
            }),
        ),
        (
            "version 2, too short for its head",
            "02 00 0000000000000000 03000000 09000000000000",
            Some(CacheRecordTooShort {
                needed: 22,
                available: 21,
            }),
        ),
        (
            "version",
            "03 00 0000000000000000 01000000 6b",
            Some(CacheRecordVersion { found: 3 }),
        ),
        (
            "a key that does not fit",
            "01 00 0000000000000000 03000000 6b 76",
            Some(CacheRecordKeyLength {
                key_len: 3,
                available: 2,
            }),
        ),
        (
            "a key that is no text",
            "01 00 0000000000000000 01000000 ff",
            Some(CacheRecordKeyNotUtf8),
        ),
        (
            "text before op",
            "01 09 0000000000000000 01000000 ff",
            Some(CacheRecordKeyNotUtf8),
        ),
    ] {
        assert_eq!(payload(text).0, expected, "{name}");
    }
    for (name, text, expected) in [
        ("V-N-DELTA", "01 00 ffffffffffffffff 01000000 6b", None),
        ("V-N-CHK", "01 01 0500000000000000 01000000 6b", None),
        (
            "V-N-N-LEN",
            "01 00 0100000000000000 01000000 6b 78",
            Some(CounterRecord),
        ),
        (
            "op",
            "01 02 0100000000000000 01000000 6b",
            Some(CounterRecord),
        ),
        (
            "version",
            "02 00 0100000000000000 01000000 6b",
            Some(CounterRecord),
        ),
        (
            "short",
            "01 00 0100000000000000 010000",
            Some(CounterRecord),
        ),
    ] {
        assert_eq!(payload(text).1, expected, "{name}");
    }
}
