//! The batch: a head of 61 bytes, a length in it that bounds the rest, a checksum that begins behind itself.

use ondisk::checksum::crc32c;
use ondisk::{Bytes8, Fault, Format, format};

use super::record::Record;
use crate::hold::{Case, Refused, hex, overrun, short};

/// What the body is compressed with; other numbers are refused.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 3)]
pub enum Codec {
    None = 0,
    Gzip = 1,
    Snappy = 2,
    Lz4 = 3,
    Zstd = 4,
}

/// A batch whose body is left as it is.
#[format(order(.., last_offset_delta))]
#[derive(Clone, Debug, PartialEq)]
pub struct Batch<'a> {
    /// Outside the checksum: the log may patch it.
    pub base_offset: i64,
    /// Bytes behind it.
    #[format(len(partition_leader_epoch..), min = 49)]
    batch_length: i32,
    /// Outside the checksum: patched on append.
    pub partition_leader_epoch: i32,
    #[format(magic = 2)]
    magic: i8,
    #[format(crc32c(attributes..))]
    crc: u32,
    #[format(word)]
    attributes: i16,
    #[format(bits = 0..=2)]
    pub codec: Codec,
    #[format(bits = 3)]
    pub log_append_time: bool,
    #[format(bits = 4)]
    pub transactional: bool,
    #[format(bits = 5)]
    pub control: bool,
    #[format(bits = 6)]
    pub delete_horizon: bool,
    #[format(bits = 7..=15, reserved)]
    reserved: u16,
    #[format(min = 0, check = leaves_room_for_an_offset)]
    pub last_offset_delta: i32,
    pub base_timestamp: i64,
    pub max_timestamp: i64,
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub base_sequence: i32,
    #[format(min = 0)]
    pub records_count: i32,
    pub body: &'a [u8],
}

fn leaves_room_for_an_offset(delta: i32, head: &BatchLayout) -> Result<(), Fault> {
    match head.base_offset.get().checked_add(i64::from(delta) + 1) {
        Some(_) => Ok(()),
        None => Err(Fault::Refused {
            rule: "the next offset fits an i64",
            found: delta as u64,
        }),
    }
}

/// A batch whose records stand in it as they are.
#[format(order(.., last_offset_delta))]
#[derive(Clone, Debug, PartialEq)]
pub struct PlainBatch<'a> {
    pub base_offset: i64,
    #[format(len(partition_leader_epoch..), min = 49)]
    batch_length: i32,
    pub partition_leader_epoch: i32,
    #[format(magic = 2)]
    magic: i8,
    #[format(crc32c(attributes..))]
    crc: u32,
    #[format(word)]
    attributes: i16,
    #[format(bits = 0..=2, must_be = 0)]
    codec: u16,
    #[format(bits = 3..=6)]
    pub flags: u16,
    #[format(bits = 7..=15, reserved)]
    reserved: u16,
    #[format(min = 0)]
    pub last_offset_delta: i32,
    pub base_timestamp: i64,
    pub max_timestamp: i64,
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub base_sequence: i32,
    #[format(count(records))]
    records_count: i32,
    pub records: Vec<Record<'a>>,
}

const NONE: &str = "00000000000000640000006d000000040275ef0f7300000000000100000000000003e800000000000003e9ffffffffffffffffffffffffffff000000023a000000066b6579286161616161616161616161616161616161616161003a000202066b657928616161616161616161616161616161616161616100";
const GZIP: &str = "0000000000000064000000580000000402bb656aa100010000000100000000000003e800000000000003e9ffffffffffffffffffffffffffff000000021f8b08000000000000ffb362606060cb4eadd448c40218ac18989870cb02004fe4c73c3c000000";
const SNAPPY: &str = "00000000000000640000005d0000000402b29dd28f00020000000100000000000003e800000000000003e9ffffffffffffffffffffffffffff0000000282534e41505059000000000100000001000000183c243a000000066b657928614a010010003a000202661e00";
const LZ4: &str = "00000000000000640000005e00000004027aecee4d00030000000100000000000003e800000000000003e9ffffffffffffffffffffffffffff0000000204224d186040821e000000be3a000000066b657928616102005f003a0002021e00016061616161610000000000";
const ZSTD: &str = "000000000000006400000051000000040265e66c9700040000000100000000000003e800000000000003e9ffffffffffffffffffffffffffff0000000228b52ffd203cbd0000783a000000066b65792861003a000202020041d93a0148";

#[test]
fn vectors_of_every_codec() {
    assert_eq!(Batch::MIN, 61);
    for (codec, text) in [
        (Codec::None, NONE),
        (Codec::Gzip, GZIP),
        (Codec::Snappy, SNAPPY),
        (Codec::Lz4, LZ4),
        (Codec::Zstd, ZSTD),
    ] {
        let bytes = hex(text);
        let case = Case::of::<Batch<'_>>(0, text);
        assert_eq!(case.needs(), [61, bytes.len() as u64], "{codec:?}");
        let view = Batch::view(&bytes).unwrap();
        let value = Batch {
            base_offset: 100,
            partition_leader_epoch: 4,
            codec,
            log_append_time: false,
            transactional: false,
            control: false,
            delete_horizon: false,
            last_offset_delta: 1,
            base_timestamp: 1000,
            max_timestamp: 1001,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            records_count: 2,
            body: &bytes[61..],
        };
        assert_eq!(view.to_value(), value);
        assert_eq!(
            view.batch_length(),
            i32::try_from(bytes.len()).unwrap() - 12
        );
    }
}

#[test]
fn the_records_of_a_batch() {
    let case = Case::of::<PlainBatch<'_>>(0, NONE);
    assert_eq!(case.needs(), [61, 121]);
    let bytes = hex(NONE);
    let view = PlainBatch::view(&bytes).unwrap();
    for (record, delta) in view.records().iter().zip(0..) {
        assert_eq!(
            (record.timestamp_delta(), record.offset_delta()),
            (delta.into(), delta)
        );
        assert_eq!(
            (record.key(), record.value()),
            (Some(&b"key"[..]), Some(&[b'a'; 20][..]))
        );
        assert!(record.headers().is_empty());
    }
    assert_eq!(view.records().len(), 2);
    assert_eq!(PlainBatch::view(&hex(GZIP)).unwrap_err().row(), "codec");
}

#[test]
fn every_bit_under_the_checksum_counts_and_those_outside_of_it_are_told() {
    let mut bytes = hex(NONE);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let refused = Batch::view(&bytes).map(|_| ()).map_err(|error| error.row());
        let expected = match bit / 8 {
            // The sign of the base leaves the next offset in range.
            0..8 | 12..16 => Ok(()),
            8..12 => Err(""),
            16 => Err("magic"),
            _ => Err("crc"),
        };
        match (expected, refused) {
            // A shorter batch leaves bytes over, a longer one is cut.
            (Err(""), Err("" | "batch_length" | "crc")) => {}
            (expected, refused) => assert_eq!(refused, expected, "bit {bit}"),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// With the checksum made right.
fn patched(patches: &[(usize, &str)]) -> Vec<u8> {
    let mut bytes = hex(NONE);
    for (at, patch) in patches {
        let patch = hex(patch);
        bytes[*at..*at + patch.len()].copy_from_slice(&patch);
    }
    let crc = crc32c(0, &bytes[21..]);
    bytes[17..21].copy_from_slice(&crc.to_be_bytes());
    bytes
}

#[test]
fn refusals_in_order() {
    let refused = |bytes: &[u8]| -> Refused {
        let error = PlainBatch::view_prefix(bytes).unwrap_err();
        (error.row(), error.at(), error.fault())
    };
    // Everything is wrong; one thing after the other is made right.
    let mut bytes = patched(&[
        (8, "00000030"),
        (16, "01"),
        (23, "ffffffff"),
        (57, "ffffffff"),
        (61, "7b"),
    ]);
    bytes[17] ^= 1;
    assert_eq!(refused(&bytes[..60]), ("", 0, short(61, 60)));
    let magic = Fault::Magic {
        expected: Bytes8::of(&[2]),
        found: Bytes8::of(&[1]),
    };
    assert_eq!(refused(&bytes), ("magic", 16, magic));
    bytes[16] = 2;
    assert_eq!(
        refused(&bytes),
        (
            "batch_length",
            8,
            Fault::TooSmall {
                found: 48,
                limit: 49
            }
        )
    );
    bytes[11] = 0x6e;
    assert_eq!(refused(&bytes), ("batch_length", 8, short(122, 121)));
    bytes[11] = 0x6d;
    assert_eq!(refused(&bytes).0, "crc");
    bytes[17] ^= 1;
    assert_eq!(
        refused(&bytes),
        (
            "records_count",
            57,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    let wrong = [(23, "ffffffff"), (61, "7b")];
    let bytes = patched(&wrong);
    assert_eq!(
        refused(&bytes),
        (
            "length",
            61,
            Fault::TooSmall {
                found: -62,
                limit: 0
            }
        )
    );
    let bytes = patched(&[(23, "ffffffff"), (60, "01")]);
    assert_eq!(
        refused(&bytes),
        ("batch_length", 91, Fault::Trailing { left: 30 })
    );
    let bytes = patched(&[(23, "ffffffff")]);
    assert_eq!(
        refused(&bytes),
        (
            "last_offset_delta",
            23,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert!(PlainBatch::view(&patched(&[])).is_ok());
    // More records than there are do not fit what the length bounds.
    assert_eq!(refused(&patched(&[(60, "03")])), ("", 121, overrun(7, 0)));
    assert_eq!(
        refused(&patched(&[(57, "7fffffff")])),
        ("records", 61, overrun(61 + 7 * 0x7fff_ffff, 121))
    );
}

#[test]
fn refusals_of_the_head() {
    let refused = |patches: &[(usize, &str)]| -> Refused {
        let bytes = patched(patches);
        let error = Batch::view_prefix(&bytes).unwrap_err();
        (error.row(), error.at(), error.fault())
    };
    for codec in 5..8 {
        let found = codec;
        assert_eq!(
            refused(&[(22, &format!("{codec:02x}"))]),
            ("codec", 21, Fault::Unknown { found })
        );
    }
    assert_eq!(
        refused(&[(57, "80000000"), (23, "80000000")]).0,
        "records_count"
    );
    let rule = "the next offset fits an i64";
    assert_eq!(
        refused(&[(0, "7ffffffffffffffe")]),
        ("last_offset_delta", 23, Fault::Refused { rule, found: 1 })
    );
    // Bits that mean nothing yet are read over.
    assert!(Batch::view(&patched(&[(21, "80")])).is_ok());
}

#[test]
fn a_reader_that_only_routes_stops_behind_the_checksum() {
    let bytes = patched(&[(22, "07"), (57, "ffffffff")]);
    assert!(Batch::view_prefix(&bytes).is_err());
    let (view, rest) = Batch::walk_prefix(&bytes).unwrap();
    assert_eq!((view.base_offset(), rest.len()), (100, 0));
    let mut rotten = bytes.clone();
    rotten[90] ^= 1;
    assert_eq!(Batch::walk_prefix(&rotten).unwrap_err().row(), "crc");
    assert_eq!(
        Batch::walk_prefix(&bytes[..100]).unwrap_err().fault(),
        short(121, 100)
    );
    // The head alone tells how long the batch is.
    assert_eq!(
        Batch::walk_prefix(&bytes[..61]).unwrap_err().fault(),
        short(121, 61)
    );
    let mut both = bytes.clone();
    both.extend(hex(ZSTD));
    assert_eq!(Batch::walk_prefix(&both).unwrap().1, hex(ZSTD));
}
