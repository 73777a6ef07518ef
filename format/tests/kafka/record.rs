//! A record of a batch: everything in it is a varint or has one for its length.

use ondisk::{Fault, format};

use crate::hold::{Case, hex, overrun, short};

/// A record.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    /// Bytes that follow.
    #[format(varint, len(attributes..))]
    length: i32,
    /// Unused, kept as found.
    pub attributes: i8,
    /// Milliseconds above that of the batch.
    #[format(varint)]
    pub timestamp_delta: i64,
    /// Offsets above that of the batch.
    #[format(varint)]
    pub offset_delta: i32,
    /// Any negative number is null.
    #[format(varint, len(key), null = -1)]
    key_len: i32,
    pub key: Option<&'a [u8]>,
    /// Any negative number is null.
    #[format(varint, len(value), null = -1)]
    value_len: i32,
    pub value: Option<&'a [u8]>,
    #[format(varint, count(headers))]
    header_count: i32,
    pub headers: Vec<Header<'a>>,
}

/// A header of a record.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Header<'a> {
    #[format(varint, len(key))]
    key_len: i32,
    pub key: &'a str,
    /// Any negative number is null.
    #[format(varint, len(value), null = -1)]
    value_len: i32,
    pub value: Option<&'a [u8]>,
}

const NOTHING: Record<'_> = Record {
    attributes: 0,
    timestamp_delta: 0,
    offset_delta: 0,
    key: None,
    value: None,
    headers: Vec::new(),
};

#[track_caller]
fn both_ways(value: &Record<'_>, bytes: &str) -> Case {
    let case = Case::of::<Record<'_>>(0, bytes);
    assert_eq!(Record::view(&hex(bytes)).unwrap().to_value(), *value);
    assert_eq!(value.encoded_len(), hex(bytes).len());
    case
}

#[test]
fn vectors() {
    let case = both_ways(&NOTHING, "0c 00 00 00 01 01 00");
    assert_eq!(case.needs(), [7]);
    let key_and_value = Record {
        key: Some(b"k"),
        value: Some(b"v"),
        ..NOTHING
    };
    let record = Record {
        offset_delta: 129,
        ..key_and_value.clone()
    };
    both_ways(&record, "12 00 00 8202 02 6b 02 76 00");
    let record = Record {
        attributes: -128,
        timestamp_delta: i64::MIN,
        offset_delta: i32::MIN,
        ..key_and_value
    };
    let case = both_ways(
        &record,
        "2a 80 ffffffffffffffffff01 ffffffff0f 02 6b 02 76 00",
    );
    assert_eq!(case.needs(), [7, 22]);
}

#[test]
fn lengths_of_the_key_and_of_the_record() {
    for (len, length, key) in [
        (32, "4c", "40"),
        (33, "4e", "42"),
        (63, "8a01", "7e"),
        (64, "8e01", "8001"),
    ] {
        let bytes = vec![b'x'; len];
        let record = Record {
            key: Some(&bytes),
            ..NOTHING
        };
        let mut out = Vec::new();
        record.encode(&mut out).unwrap();
        let (length, key) = (hex(length), hex(key));
        assert_eq!(out[..length.len()], length, "{len}");
        assert_eq!(out[length.len() + 3..][..key.len()], key, "{len}");
        assert_eq!(Record::view(&out).unwrap().key(), Some(&bytes[..]));
    }
}

#[test]
fn headers() {
    let record = Record {
        key: Some(b""),
        headers: vec![
            Header {
                key: "h",
                value: Some(b"1"),
            },
            Header {
                key: "",
                value: None,
            },
        ],
        ..NOTHING
    };
    let case = both_ways(&record, "18 00 00 00 00 01 04 02 68 02 31 00 01");
    assert_eq!(case.needs(), [7, 13]);
    assert_eq!(
        case.with(7, "01"),
        (
            "key_len",
            7,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(
        case.with(8, "ff"),
        ("key", 8, Fault::Utf8 { valid_up_to: 0 })
    );
    assert_eq!(
        case.with(6, "01"),
        (
            "header_count",
            6,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(case.with(6, "0e"), ("headers", 7, overrun(21, 13)));
    assert_eq!(
        case.with(6, "02"),
        ("length", 11, Fault::Trailing { left: 2 })
    );
}

#[test]
fn refusals() {
    let case = both_ways(&NOTHING, "0c 00 00 00 01 01 00");
    assert_eq!(
        case.with(0, "01"),
        (
            "length",
            0,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(case.with(0, "0e"), ("length", 0, short(8, 7)));
    assert_eq!(case.with(0, "0a"), ("header_count", 6, overrun(7, 6)));
    assert_eq!(case.with(0, "04"), ("offset_delta", 3, overrun(7, 3)));
    // Any negative length is null, and written as -1.
    case.reads("0c 00 00 00 03 7f 00", "0c 00 00 00 01 01 00");
    // A varint that is too long for its type, and one that its record cuts.
    let varint = "10 00 00 ffffffff1f 01 01 00";
    let error = Record::view(&hex(varint)).unwrap_err();
    assert_eq!((error.row(), error.at()), ("offset_delta", 3));
    assert_eq!(error.fault(), Fault::Varint);
    let error = Record::view(&hex("0c 00 00 ff ff ff ff 00")).unwrap_err();
    assert_eq!((error.row(), error.at()), ("offset_delta", 3));
    assert_eq!(error.fault(), overrun(11, 7));
}
