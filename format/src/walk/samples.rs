//! Kinds described by hand, for tests of what stands on the walk.

use alloc::vec::Vec;

use crate::checksum::{Algorithm, crc32};
use crate::describe::{
    Bits, Class, Endian, Kind, Presence, Role, Row, Rows, Shape, Trailing, Type, Variant, Versions,
};

const fn row(name: &'static str, ty: Type, role: Role) -> Row {
    Row {
        name,
        doc: "",
        ty,
        role,
        in_value: true,
        offset: None,
        size: None,
        bits: None,
        presence: Presence::Always,
        since: 0,
        until: u32::MAX,
        min: None,
        max: None,
        endian: Endian::Big,
        rules: &[],
    }
}

const fn kind(name: &'static str, rows: &'static [Row], size: Option<usize>, min: usize) -> Kind {
    Kind {
        name,
        module: "tests",
        doc: "",
        shape: Shape::Rows(rows),
        file: None,
        head_of: None,
        whole: false,
        class: Some(Class::Derived),
        endian: Endian::Big,
        versions: None,
        version_of: None,
        trailing: Trailing::Refuse,
        canonical: false,
        size,
        min,
        steps: &[],
    }
}

const fn rows(from: u16, to: u16) -> Rows {
    Rows { from, to }
}

pub(crate) static OP: Kind = Kind {
    shape: Shape::Enum {
        bytes: 0,
        variants: &[
            Variant {
                name: "Plain",
                doc: "",
                value: 0,
                since: 0,
                until: u32::MAX,
            },
            Variant {
                name: "Tagged",
                doc: "",
                value: 1,
                since: 2,
                until: u32::MAX,
            },
        ],
        open: false,
    },
    ..kind("Op", &[], None, 0)
};

pub(crate) static TAG: Kind = kind("Tag", &[row("id", Type::Uint(2), Role::Value)], Some(2), 2);

/// A word of bits, a condition, two checksums, one of them around a gap.
pub(crate) static FRAME: Kind = kind(
    "Frame",
    &[
        row("word", Type::Uint(2), Role::Word),
        Row {
            bits: Some(Bits {
                word: 0,
                low: 13,
                high: 15,
            }),
            ..row("op", Type::Of(|| &OP), Role::Value)
        },
        Row {
            bits: Some(Bits {
                word: 0,
                low: 0,
                high: 12,
            }),
            max: Some(1000),
            ..row("len", Type::Uint(2), Role::Len(rows(6, 7)))
        },
        row(
            "head_crc",
            Type::Uint(4),
            Role::Checksum(Algorithm::Crc32, &[rows(0, 3)]),
        ),
        row(
            "crc",
            Type::Uint(4),
            Role::Checksum(Algorithm::Crc32, &[rows(0, 4), rows(5, 7)]),
        ),
        Row {
            presence: Presence::When {
                text: "op == Op::Tagged",
                holds: |numbers, _| numbers[1] == 1,
            },
            ..row("tag", Type::Of(|| &TAG), Role::Value)
        },
        row("payload", Type::Bytes, Role::Value),
    ],
    None,
    10,
);

pub(crate) static ENTRY: Kind = kind(
    "Entry",
    &[
        row("len", Type::Uint(1), Role::Len(rows(1, 4))),
        row("kind", Type::Uint(1), Role::Value),
        row("inner", Type::Uint(1), Role::Len(rows(3, 4))),
        row("key", Type::Text, Role::Value),
        Row {
            since: 2,
            presence: Presence::Tag { fixed: true },
            ..row("digest", Type::Uint(2), Role::Value)
        },
    ],
    None,
    3,
);

/// A rest in front of rows whose length stands in the foot.
pub(crate) static OBJECT: Kind = Kind {
    whole: true,
    versions: Some(Versions {
        min: 1,
        max: 2,
        writes: 1,
        adopt: false,
        gates: &[],
    }),
    ..kind(
        "Object",
        &[
            row("magic", Type::Array(2), Role::Magic(b"OB")),
            row("version", Type::Uint(1), Role::Version),
            row("runs", Type::Bytes, Role::Value),
            row("entries", Type::Seq(|| &ENTRY), Role::Value),
            row("entries_len", Type::Uint(1), Role::Len(rows(3, 4))),
            row(
                "crc",
                Type::Uint(4),
                Role::Checksum(Algorithm::Crc32, &[rows(0, 5)]),
            ),
        ],
        None,
        8,
    )
};

/// Zig-zag varints, and lengths that can say null.
pub(crate) static NOTE: Kind = kind(
    "Note",
    &[
        row("length", Type::Varint(32), Role::Len(rows(1, 5))),
        row("delta", Type::Varint(64), Role::Value),
        row("key_len", Type::Varint(32), Role::Len(rows(3, 4))),
        Row {
            presence: Presence::Null {
                len: 2,
                null: -1,
                bias: 0,
            },
            ..row("key", Type::Bytes, Role::Value)
        },
        row("rest", Type::Bytes, Role::Value),
    ],
    None,
    3,
);

/// A frame with right checksums.
pub(crate) fn frame(op: u16, tag: &[u8], payload: &[u8]) -> Vec<u8> {
    let len = u16::try_from(payload.len()).unwrap();
    let mut bytes = (op << 13 | len).to_be_bytes().to_vec();
    let head = crc32(0, &bytes);
    bytes.extend(head.to_be_bytes());
    let crc = crc32(crc32(crc32(0, &bytes), tag), payload);
    bytes.extend(crc.to_be_bytes());
    bytes.extend(tag);
    bytes.extend(payload);
    bytes
}

/// An object of that version with one entry and a right checksum.
pub(crate) fn object(version: u8) -> Vec<u8> {
    let mut bytes = b"OB\x02runs\x03\x00\x01k\x00\x00\x00\x07".to_vec();
    bytes[2] = version;
    let crc = crc32(0, &bytes);
    bytes.extend(crc.to_be_bytes());
    bytes
}
