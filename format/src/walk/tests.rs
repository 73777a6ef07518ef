//! The walk over descriptions written by hand, so that it is tested without the macros.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::samples::{ENTRY, FRAME, NOTE, OBJECT, frame, object};
use super::*;
use crate::error::Fault;

#[derive(Default)]
struct Lines(Vec<String>);

impl<'a> Visitor<'a> for Lines {
    fn field(&mut self, field: &Field<'a>) {
        let value = match field.value {
            Value::Variant {
                known: Some(known), ..
            } => known.name.into(),
            Value::Kind(kind) => format!("{{{}}}", kind.name),
            Value::Entries { of, count } => format!("[{} {count:?}]", of.name),
            value => format!("{value:?}"),
        };
        self.0
            .push(format!("{:?} {} {value}", field.range, field.row.name));
    }

    fn leave(&mut self, instance: &Instance) {
        self.0
            .push(format!("{:?} end {}", instance.end, instance.kind.name));
    }
}

/// Row, position and fault of where a walk stopped.
type Stop = (&'static str, usize, Fault);

fn lines(kind: &'static Kind, bytes: &[u8], version: u32) -> (Vec<String>, Result<usize, Stop>) {
    let mut seen = Lines::default();
    let result = walk(kind, bytes, version, &mut seen);
    (
        seen.0,
        result.map_err(|error| (error.row(), error.at(), error.fault())),
    )
}

#[test]
fn bits_conditions_and_lengths() {
    let mut bytes = frame(1, &[0, 7], b"hi");
    bytes.push(0xff);
    let (seen, result) = lines(&FRAME, &bytes, 2);
    assert_eq!(
        seen,
        [
            "0..2 word Uint(8194)",
            "0..2 op Tagged",
            "0..2 len Uint(2)",
            "2..6 head_crc Uint(978540401)",
            "6..10 crc Uint(3442286681)",
            "10..10 tag {Tag}",
            "10..12 id Uint(7)",
            "Some(12) end Tag",
            "12..14 payload Bytes([104, 105])",
            "Some(14) end Frame",
        ]
    );
    assert_eq!(result, Ok(14));
    let (seen, result) = lines(&FRAME, &frame(0, &[], b""), 2);
    assert_eq!(
        seen[5..],
        [
            "10..10 tag Absent",
            "10..10 payload Bytes([])",
            "Some(10) end Frame"
        ]
    );
    assert_eq!(result, Ok(10));
}

#[test]
fn every_fault_is_found_without_a_reader() {
    let mut bytes = frame(1, &[0, 7], b"hi");
    let faults = |bytes: &[u8], version| -> Vec<(&'static str, Fault)> {
        let (found, _) = faults(&FRAME, bytes, version);
        found
            .iter()
            .map(|error| (error.row(), error.fault()))
            .collect()
    };
    assert_eq!(faults(&bytes, 2), []);
    let early = Fault::NotInVersion {
        found: 1,
        version: 1,
        since: 2,
        until: u32::MAX,
    };
    assert_eq!(faults(&bytes, 1), [("op", early)]);
    bytes[13] ^= 1;
    let [("crc", Fault::Checksum { .. })] = faults(&bytes, 2)[..] else {
        panic!("{:?}", faults(&bytes, 2));
    };
    bytes.pop();
    let [("payload", Fault::Short { .. })] = faults(&bytes, 2)[..] else {
        panic!("{:?}", faults(&bytes, 2));
    };
}

#[test]
fn the_end_of_the_input_and_of_a_length_are_told_apart() {
    let bytes = frame(0, &[], b"hello");
    let (_, result) = lines(&FRAME, &bytes[..12], 0);
    let short = Fault::Short {
        needed: 15,
        available: 12,
    };
    assert_eq!(result, Err(("payload", 10, short)));
    // The declared length ends inside the key, whatever follows.
    let (_, result) = lines(&ENTRY, b"\x03\x00\x04abcdefgh", 1);
    let overrun = Fault::Overrun {
        needed: 7,
        available: 4,
    };
    assert_eq!(result, Err(("key", 3, overrun)));
    // The declared length is not used up.
    let (_, result) = lines(&ENTRY, b"\x05\x00\x01abcdefgh", 1);
    assert_eq!(result, Err(("key", 4, Fault::Trailing { left: 2 })));
}

#[test]
fn rows_in_front_of_a_foot_are_measured_from_the_end() {
    let mut bytes = object(2);
    let crc = u32::from_be_bytes(bytes[15..].try_into().unwrap());
    let (seen, result) = lines(&OBJECT, &bytes, 0);
    assert_eq!(
        seen,
        [
            "0..2 magic Bytes([79, 66])",
            "2..3 version Uint(2)",
            "3..7 runs Bytes([114, 117, 110, 115])",
            "7..7 entries [Entry None]",
            "7..8 len Uint(3)",
            "8..9 kind Uint(0)",
            "9..10 inner Uint(1)",
            "10..11 key Text(\"k\")",
            "11..12 digest Tag(false)",
            "12..14 digest Absent",
            "Some(14) end Entry",
            "14..15 entries_len Uint(7)",
            &format!("15..19 crc Uint({crc})"),
            "Some(19) end Object",
        ]
    );
    assert_eq!(result, Ok(19));
    assert_eq!(version_in(&OBJECT, &bytes), Some(2));
    // Version 1 has no digest, so three bytes of the entries are left over; the foot is found all the same.
    bytes[2] = 1;
    let (seen, result) = lines(&OBJECT, &bytes, 0);
    let overrun = Fault::Overrun {
        needed: 2,
        available: 1,
    };
    assert_eq!(result, Err(("kind", 12, overrun)));
    let crc_line = format!("15..19 crc Uint({crc})");
    assert!(seen.contains(&crc_line), "{seen:?}");
}

#[test]
fn varints_and_nulls() {
    let (seen, result) = lines(&NOTE, &[8, 3, 1, b'x', b'y', 0xff], 0);
    assert_eq!(
        seen,
        [
            "0..1 length Int(4)",
            "1..2 delta Int(-2)",
            "2..3 key_len Int(-1)",
            "3..3 key Absent",
            "3..5 rest Bytes([120, 121])",
            "Some(5) end Note",
        ]
    );
    assert_eq!(result, Ok(5));
    // Any negative length says null where one does; elsewhere none can be.
    let (_, result) = lines(&NOTE, &[8, 3, 3, b'x', b'y'], 0);
    assert_eq!(result, Ok(5));
    let (_, result) = lines(&NOTE, &[3, 3, 1, b'x', b'y'], 0);
    let fault = Fault::TooSmall {
        found: -2,
        limit: 0,
    };
    assert_eq!(result, Err(("length", 0, fault)));
    let (_, result) = lines(&NOTE, &[0xff; 9], 0);
    assert_eq!(result, Err(("length", 0, Fault::Varint)));
}

#[test]
fn any_bytes_are_walked_without_a_panic() {
    let mut state = 1_u64;
    for len in 0..600 {
        let bytes: Vec<u8> = (0..len % 40)
            .map(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11);
                (state >> 60) as u8
            })
            .collect();
        for kind in [&FRAME, &ENTRY, &OBJECT, &NOTE] {
            for version in 0..3 {
                let mut seen = Lines::default();
                if let Ok(used) = walk(kind, &bytes, version, &mut seen) {
                    assert!(used <= bytes.len());
                }
            }
        }
    }
}
