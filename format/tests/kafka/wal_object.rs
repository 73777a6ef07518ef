//! An object of a diskless log: little-endian, its entries measured from the end.

use ondisk::{Fault, FeatureLevels, Format, format};

use crate::hold::{Case, hex, overrun, short};

/// Where a run of batches lies in the object.
#[derive(Format, Clone, Debug, PartialEq)]
#[format(le)]
pub struct WalEntry {
    pub topic_id: [u8; 16],
    pub partition: i32,
    pub first: i64,
    /// Inclusive.
    pub last: i64,
    /// From the start of the object.
    pub byte_start: u64,
    pub byte_len: u32,
}

/// Runs of batches of many partitions.
#[format(le, whole, reads = 1..=1, order(magic, end, ..), check = ranges_lie_in_runs, arbitrary = settle)]
#[derive(Clone, Debug, PartialEq)]
pub struct WalObject<'a> {
    #[format(magic = b"CKWL")]
    magic: [u8; 4],
    #[format(version)]
    version: u16,
    pub runs: &'a [u8],
    pub entries: Vec<WalEntry>,
    #[format(len(entries))]
    footer_len: u32,
    #[format(magic = b"CKWL")]
    end: [u8; 4],
}

const HEAD_BYTES: u64 = 6;

fn ranges_lie_in_runs(view: &WalObjectView<'_>) -> Result<(), Fault> {
    let footer = HEAD_BYTES + view.runs().len() as u64;
    for entry in view.entries() {
        let end = entry.byte_start().checked_add(entry.byte_len().into());
        if entry.byte_start() < HEAD_BYTES || end.is_none_or(|end| end > footer) {
            return Err(Fault::Refused {
                rule: "a range lies in the runs",
                found: entry.byte_start(),
            });
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut object: WalObject<'_>) -> WalObject<'_> {
    for entry in &mut object.entries {
        entry.byte_start = HEAD_BYTES;
        entry.byte_len = 0;
    }
    object
}

const EMPTY: &str = "434b574c 0100 00000000 434b574c";
const HELLO: &str = "434b574c 0100 68656c6c6f 00112233445566778899aabbccddeeff 03000000 0a00000000000000 0c00000000000000 0600000000000000 05000000 30000000 434b574c";

#[test]
fn vectors() {
    let case = Case::of::<WalObject<'_>>(0, EMPTY);
    assert_eq!(case.cut(13), ("", 0, short(14, 13)));
    Case::of::<WalObject<'_>>(0, HELLO);
    let bytes = hex(HELLO);
    let view = WalObject::view(&bytes).unwrap();
    let value = WalObject {
        runs: b"hello",
        entries: vec![WalEntry {
            topic_id: hex("00112233445566778899aabbccddeeff").try_into().unwrap(),
            partition: 3,
            first: 10,
            last: 12,
            byte_start: 6,
            byte_len: 5,
        }],
    };
    assert_eq!(view.to_value(), value);
    assert_eq!(view.entries().as_slice().len(), 1);
    let mut out = Vec::new();
    let version = WalObject::write_version(&FeatureLevels::NONE);
    value.encode(version, &mut out).unwrap();
    assert_eq!(out, bytes);
    assert_eq!(value.encoded_len(version), bytes.len());
}

#[test]
fn refusals_in_order() {
    let case = Case::of::<WalObject<'_>>(0, HELLO);
    // Both magics come before the version.
    assert_eq!(case.with(0, "44").0, "magic");
    assert_eq!(case.cut(66).0, "end");
    assert_eq!(
        case.with(4, "0200"),
        (
            "version",
            4,
            Fault::Version {
                found: 2,
                min: 1,
                max: 1
            }
        )
    );
    // A footer of half an entry, one longer than the object, one that reaches into the head.
    assert_eq!(case.with(59, "2f000000"), ("entries", 12, overrun(60, 59)));
    assert_eq!(
        case.with(59, "ffffffff"),
        ("footer_len", 59, overrun(0xffff_ffff, 53))
    );
    assert_eq!(
        case.with(59, "36000000"),
        ("footer_len", 59, overrun(54, 53))
    );
    let rule = "a range lies in the runs";
    assert_eq!(
        case.with(47, "05"),
        ("", 0, Fault::Refused { rule, found: 5 })
    );
    assert_eq!(case.with(55, "06").2, Fault::Refused { rule, found: 6 });
    assert_eq!(
        case.with(47, "ffffffffffffffff").2,
        Fault::Refused {
            rule,
            found: u64::MAX
        }
    );
    assert_eq!(case.and("00").0, "end");
}

#[test]
fn every_bit_is_refused_or_read_as_another_value() {
    let bytes = hex(HELLO);
    let value = WalObject::view(&bytes).unwrap().to_value();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(view) = WalObject::view(&flipped) {
            assert_ne!(view.to_value(), value, "bit {bit}");
        }
    }
}
