//! The first vectors of the Felix specification, by hand; the whole list is walked by the golden tests.
#![cfg(feature = "felix")]

use ondisk::felix::*;
use ondisk::{Fault, FeatureLevels};

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn segment_header() {
    let bytes = hex("464c5347 0003 0000 0000000000000001 0000000000000002 adeb65e9 00000000");
    let view = SegmentHeader::view(&bytes).unwrap();
    assert_eq!(
        (view.version(), view.base_offset(), view.created_at_micros()),
        (3, 1, 2)
    );
    let mut out = Vec::new();
    view.to_value()
        .encode(SegmentHeader::write_version(&FeatureLevels::NONE), &mut out)
        .unwrap();
    assert_eq!(out, bytes);
    let error = SegmentHeader::view(&bytes[..31]).unwrap_err();
    assert_eq!(
        error.fault(),
        Fault::Short {
            needed: 32,
            available: 31
        }
    );
    let mut bad = bytes.clone();
    bad[27] ^= 1;
    let error = SegmentHeader::view(&bad).unwrap_err();
    assert_eq!((error.row(), error.at()), ("header_crc", 24));
    assert_eq!(
        error.fault(),
        Fault::Checksum {
            expected: 0xadeb_65e8,
            found: 0xadeb_65e9
        }
    );
}

#[test]
fn version_4_is_gated() {
    assert!(SegmentHeader::write_at(4, &FeatureLevels::NONE).is_err());
    let levels = [("generation_start", 1)];
    let finalized = FeatureLevels::new(&levels);
    assert_eq!(SegmentHeader::write_at(4, &finalized).unwrap().get(), 4);
    assert_eq!(SegmentHeader::write_version(&finalized).get(), 3);
}

#[test]
fn record() {
    let plain = hex("00000002 0000000000000007 0000000000000009 c654de27 2402152c 6869");
    let (view, rest) = Record::view_prefix(&plain, 3).unwrap();
    assert!(rest.is_empty());
    assert_eq!(
        (
            view.offset(),
            view.timestamp_micros(),
            view.payload(),
            view.tag().is_none()
        ),
        (7, 9, &b"hi"[..], true)
    );
    assert_eq!(view.kind(), RecordKind::Ordinary);
    let mut out = Vec::new();
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    view.to_value().encode(version, &mut out).unwrap();
    assert_eq!(out, plain);
    assert_eq!(
        Record::view_prefix(&plain[..29], 3).unwrap_err().fault(),
        Fault::Short {
            needed: 30,
            available: 29
        }
    );

    let opens = hex(
        "80000002 0000000000000007 0000000000000009 ada59e0b e68043fb 0000000000000001 0000000000000002 00000003 6869",
    );
    let (view, _) = Record::view_prefix(&opens, 3).unwrap();
    assert_eq!(
        view.tag()
            .map(|tag| (tag.producer_id(), tag.sequence(), tag.len())),
        Some((1, 2, 3))
    );
    let mut out = Vec::new();
    view.to_value().encode(version, &mut out).unwrap();
    assert_eq!(out, opens);
    let error = Record::view_prefix(&opens, 2).unwrap_err();
    assert_eq!(
        (error.row(), error.fault()),
        (
            "kind",
            Fault::NotInVersion {
                found: 4,
                version: 2,
                since: 3,
                until: u32::MAX
            }
        )
    );
    assert_eq!(
        Record::view_prefix(&opens[..28], 3).unwrap_err().fault(),
        Fault::Short {
            needed: 50,
            available: 28
        }
    );

    let limit = hex("04000000 0000000000000007 0000000000000009 5c85a5b9 bd4c1aa3");
    let error = Record::view_prefix(&limit, 3).unwrap_err();
    assert_eq!(
        error.fault(),
        Fault::Short {
            needed: 67_108_892,
            available: 28
        }
    );
    let large = hex("04000001 0000000000000007 0000000000000009 db236efa 483628c2");
    let error = Record::view_prefix(&large, 3).unwrap_err();
    assert_eq!(
        (error.row(), error.fault()),
        (
            "payload_len",
            Fault::TooLarge {
                found: 67_108_865,
                limit: 67_108_864
            }
        )
    );
}

#[test]
fn producers_version_2() {
    let bytes = hex(
        "464c5053 0002 0000 0000000000000003 00000001 e85e6cc5 00 0000000000000007 0000000000000000 0001 0000000000000002 00000001 01 336fc58e77f7f78d",
    );
    let view = Producers::view(&bytes).unwrap();
    let value = view.to_value();
    assert_eq!(
        value.producers[0].batches[0],
        Batch {
            first: 2,
            len: 1,
            digest: Some(0x336f_c58e_77f7_f78d)
        }
    );
}

#[test]
fn key_index() {
    let bytes = hex(
        "46584958 0001 00 0000000000000003 0000000000000001 0000000000000030 11223344 00000006 00000000016b 0000000000000002 0000000000000002 0000000000000000 00000010 a438f95e",
    );
    let view = KeyIndex::view(&bytes).unwrap();
    assert_eq!(
        view.entries()
            .iter()
            .map(|entry| entry.key())
            .collect::<Vec<_>>(),
        ["k"]
    );
    let mut out = Vec::new();
    view.to_value()
        .encode(KeyIndex::write_version(&FeatureLevels::NONE), &mut out)
        .unwrap();
    assert_eq!(out, bytes);
}
