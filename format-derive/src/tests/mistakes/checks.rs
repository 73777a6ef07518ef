//! What makes no sense in a struct.

use super::Case;

pub(super) const CASES: &[Case] = &[
    // Names and visibility.
    (
        "#[format()] struct K { pub __a: u8 }",
        &["names with two underscores in front are the macro's own"],
    ),
    (
        "#[format()] struct K { pub to_value: u8 }",
        &["`to_value` makes a value of a view: give the row another name"],
    ),
    (
        "#[format()] struct K { a: u8 }",
        &["a row without `pub` is the writer's, and nothing computes `a`: say what it is for, or make it `pub`"],
    ),
    (
        "#[format()] struct K { #[format(reserved)] pub a: u8 }",
        &["`a` is computed, so it is the writer's: leave its `pub` away"],
    ),
    (
        "#[derive(Format)] struct K { #[format(reserved)] a: u8 }",
        &["a derive cannot take the computed row `a` out of the value: put `#[format(..)]` above the derives \
           instead of `derive(Format)`"],
    ),
    // Roles and their types.
    (
        "#[format()] struct K { #[format(magic = b\"abc\")] a: [u8; 4] }",
        &["`a` must be `[u8; 3]` to hold these bytes"],
    ),
    (
        "#[format()] struct K { #[format(magic = b\"abc\")] a: u32 }",
        &["`a` must be `[u8; 3]` to hold these bytes"],
    ),
    (
        "#[format()] struct K { #[format(magic = 3, varint)] a: i32 }",
        &["`a` must be an integer of its own"],
    ),
    (
        "#[format()] struct K { #[format(must_be = 3)] a: [u8; 4] }",
        &["`a` must be an integer to have one value"],
    ),
    (
        "#[format(reads = 1..=1)] struct K { #[format(version)] a: u64 }",
        &["`a` must be an integer of its own, of at most 4 bytes, to be the version"],
    ),
    (
        "#[format()] struct K { #[format(len(b))] a: [u8; 2], pub b: Vec<u8> }",
        &["`a` must be an integer to be a length or a count"],
    ),
    (
        "#[format()] struct K { #[format(word, uvarint)] a: u32 }",
        &["`a` must be an integer of its own to have bits"],
    ),
    (
        "#[format()] struct K { #[format(crc64(b))] a: u32, pub b: u8 }",
        &["`a` must be u64 of its own to hold this checksum"],
    ),
    (
        "#[format()] struct K { #[format(crc32(b))] a: i32, pub b: u8 }",
        &["`a` must be u32 of its own to hold this checksum"],
    ),
    (
        "#[format()] struct K { #[format(reserved)] a: Option<u8> }",
        &[
            "`a` must be an integer or `[u8; N]` to be reserved",
            "nothing says when `a` is there: `when = ..`, `tag`, `since = n`, or a length with `null`",
        ],
    ),
    (
        "#[format()] struct K { pub a: bool }",
        &["a `bool` is one bit of a word: say `bits = n`; a byte of its own is an enum"],
    ),
    // Keys that do not suit.
    (
        "#[format()] struct K { #[format(min = 1)] pub a: E }",
        &["`min` is for integers"],
    ),
    (
        "#[format()] struct K { #[format(max = 1)] pub a: E }",
        &["`max` is for integers"],
    ),
    (
        "#[format()] struct K { #[format(reserved, max = 1)] a: u8 }",
        &["limits are for values, lengths and counts"],
    ),
    (
        "#[format()] struct K { #[format(reserved = keep, check = c)] pub a: u8 }",
        &["a check is for values, lengths, counts and what must be"],
    ),
    (
        "#[format()] struct K { #[format(varint)] pub a: E }",
        &["`varint` is for integers of their own"],
    ),
    (
        "#[format()] struct K { #[format(uvarint)] pub a: E }",
        &["`uvarint` is for integers of their own"],
    ),
    (
        "#[format()] struct K { #[format(varint)] pub a: u32 }",
        &["`varint` is zig-zag, for signed integers: take `uvarint`"],
    ),
    (
        "#[format()] struct K { #[format(uvarint)] pub a: i32 }",
        &["`uvarint` is for unsigned integers: take `varint`"],
    ),
    (
        "#[format()] struct K { #[format(varint, uvarint)] pub a: u32 }",
        &[
            "`varint` is zig-zag, for signed integers: take `uvarint`",
            "a varint is signed or not, not both",
        ],
    ),
    (
        "#[format()] struct K { #[format(le)] pub a: E }",
        &["`le` is for integers; an enum says it itself"],
    ),
    (
        "#[format()] struct K { #[format(nested)] pub a: u8 }",
        &["`nested` is for a kind in place"],
    ),
    (
        "#[format()] struct K { #[format(null = -1)] pub a: u8 }",
        &[
            "`null` is for the length of an `Option` row",
            "the length row cannot hold this number",
        ],
    ),
    (
        "#[format()] struct K { #[format(bias = 1)] pub a: u8 }",
        &["`bias` is for the length of an `Option` row"],
    ),
    (
        "#[format()] struct K { #[format(len(b), bias = 0)] a: u8, pub b: Option<Vec<u8>> }",
        &["a length without a bias says null with `null = n`"],
    ),
    (
        "#[format()] struct K { #[format(len(b), null = 256)] a: u8, pub b: Option<Vec<u8>> }",
        &["the length row cannot hold this number"],
    ),
    // Bits.
    (
        "#[format()] struct K { pub w: u8, #[format(bits = 1)] pub a: u8 }",
        &["bits stand right behind the word that holds them: a row with `#[format(word)]`"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u8, #[format(bits = 8)] pub a: u8 }",
        &["`w` has the bits 0 to 7"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u8, #[format(bits = 0..=2)] pub a: u8, #[format(bits = 2)] pub b: u8 }",
        &["another row has one of these bits already"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u16, #[format(bits = 0..=8)] pub a: u8 }",
        &["`u8` has 8 bits, fewer than 9"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u16, #[format(bits = 0..=1)] pub a: bool }",
        &["a `bool` is one bit"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u16, #[format(bits = 0..=1)] pub a: i8 }",
        &["bits have no sign: take an unsigned integer"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u16, #[format(bits = 0..=1)] pub a: [u8; 1] }",
        &["bits hold an integer, a `bool` or an enum"],
    ),
    (
        "#[format(reads = 1..=2)] struct K {
            #[format(version)] v: u8, #[format(word)] w: u16, #[format(bits = 0, since = 2, reserved)] a: u8 }",
        &["bits are in every version of their word"],
    ),
    // Presence.
    (
        "#[format()] struct K { pub f: u8, #[format(when = f == 1, tag)] pub a: Option<u8> }",
        &["a row is there by a condition, or by a tag"],
    ),
    (
        "#[format()] struct K { #[format(tag)] pub a: u8 }",
        &["a row with `tag` may be absent: make it `Option<..>`"],
    ),
    (
        "#[format()] struct K { #[format(tag = fixed)] pub a: Option<E> }",
        &["`tag = fixed` is for integers and `[u8; N]`, whose zeros can take their place"],
    ),
    (
        "#[format()] struct K { pub a: Option<u8> }",
        &["nothing says when `a` is there: `when = ..`, `tag`, `since = n`, or a length with `null`"],
    ),
    (
        "#[format()] struct K { #[format(when = b == 1)] pub a: Option<u8>, pub b: u8 }",
        &["`b` is not known yet where `a` is read"],
    ),
    (
        "#[format()] struct K { #[format(len(t))] n: u8, pub t: String, #[format(when = t == \"x\")] pub a: Option<u8> }",
        &["a condition is over integers, bits and enums that are always there, and `t` is none of them"],
    ),
    // Versions.
    (
        "#[format(reads = 1..=2)] struct K { #[format(version)] v: u8, #[format(since = 2)] pub a: u8 }",
        &["only some versions have this row: make it `Option<..>`"],
    ),
    (
        "#[format(reads = 1..=2)] struct K { #[format(version)] v: u8, #[format(since = 2, len(a))] n: u8, pub a: Vec<u8> }",
        &["a row that only some versions have cannot be the identity or the length of others"],
    ),
    (
        "#[format(reads = 1..=2)] struct K { #[format(version)] v: u8, #[format(len(a))] n: u8, #[format(since = 2)] pub a: Option<Vec<u8>> }",
        &["all versions have the length of this row: put both in a kind of their own, which only some have"],
    ),
    (
        "#[format()] struct K { #[format(since = 2)] pub a: Option<u8> }",
        &["`since` and `until` need a version: a row with `version`, or `version_of = Kind`"],
    ),
    (
        "#[format(reads = 1..=3)] struct K { #[format(version)] v: u8, #[format(since = 3, until = 2)] pub a: Option<u8> }",
        &["no version has it: `until` lies below `since`"],
    ),
    (
        "#[format(reads = 1..=3)] struct K { #[format(version)] v: u8, #[format(since = 1)] pub a: Option<u8> }",
        &["versions 1 to 3 are read, so `since = 1` divides nothing"],
    ),
    (
        "#[format(reads = 1..=3)] struct K { #[format(version)] v: u8, #[format(until = 3)] pub a: Option<u8> }",
        &["versions 1 to 3 are read, so `until = 3` divides nothing"],
    ),
    (
        "#[format(reads = 1..=1)] struct K { #[format(version)] v: u8, #[format(version)] w: u8 }",
        &["a kind has one version"],
    ),
    (
        "#[format()] struct K { #[format(version)] v: u8 }",
        &["a kind with a version says which it reads: `reads = 1..=1`"],
    ),
    (
        "#[format(reads = 1..=1)] struct K { pub v: u8 }",
        &["no row is the version: mark one with `#[format(version)]`"],
    ),
    (
        "#[format(reads = 1..=1, version_of = Other)] struct K { #[format(version)] v: u8 }",
        &["a kind has a version row, or takes its version from another kind"],
    ),
    (
        "#[format(reads = 1..=2, writes = 3)] struct K { #[format(version)] v: u8 }",
        &["the version written must be one that is read"],
    ),
    (
        "#[format(reads = 1..=2, gate(2 = F))] struct K { #[format(version)] v: u8 }",
        &["a gate is for a version that is read and lies above the one written at first"],
    ),
    (
        "#[format(reads = 1..=2, writes = 1, gate(2 = F), gate(2 = G))] struct K { #[format(version)] v: u8 }",
        &["version 2 has a gate already"],
    ),
    (
        "#[format(reads = 1..=2, adopt)] struct K { #[format(version)] v: u8 }",
        &["`adopt` needs a `gate` whose version it can adopt"],
    ),
    // The item.
    (
        "#[format(trailing = ignore)] struct K { pub a: u8 }",
        &["`trailing` is about a whole input: say `file = \"..\"` or `whole` too"],
    ),
    (
        "#[format(head_of = \"a\", whole)] struct K { pub a: u8 }",
        &["a kind is a whole file or the head of one"],
    ),
    (
        "#[format(order(b, ..))] struct K { pub a: u8 }",
        &["no row is called `b`"],
    ),
    (
        "#[format(order(a, .., a))] struct K { #[format(max = 1)] pub a: u8 }",
        &["the checks of `a` have one turn, not two"],
    ),
    (
        "#[format()] struct K {
            pub a0: u8, pub a1: u8, pub a2: u8, pub a3: u8, pub a4: u8, pub a5: u8, pub a6: u8, pub a7: u8,
            pub b0: u8, pub b1: u8, pub b2: u8, pub b3: u8, pub b4: u8, pub b5: u8, pub b6: u8, pub b7: u8,
            pub c0: u8, pub c1: u8, pub c2: u8, pub c3: u8, pub c4: u8, pub c5: u8, pub c6: u8, pub c7: u8,
            pub d0: u8, pub d1: u8, pub d2: u8, pub d3: u8, pub d4: u8, pub d5: u8, pub d6: u8, pub d7: u8,
            pub e0: u8, pub e1: u8, pub e2: u8, pub e3: u8, pub e4: u8, pub e5: u8, pub e6: u8, pub e7: u8,
            pub f0: u8, pub f1: u8, pub f2: u8, pub f3: u8, pub f4: u8, pub f5: u8, pub f6: u8, pub f7: u8,
            pub g0: u8, pub g1: u8, pub g2: u8, pub g3: u8, pub g4: u8, pub g5: u8, pub g6: u8, pub g7: u8,
            pub h0: u8, pub h1: u8, pub h2: u8, pub h3: u8, pub h4: u8, pub h5: u8, pub h6: u8, pub h7: u8,
            pub i0: u8 }",
        &["a kind has at most 64 rows: put some in a kind of their own"],
    ),
];

/// Lengths, counts and checksums: what rows have to do with each other.
pub(super) const LENGTHS: &[Case] = &[
    (
        "#[format()] struct K { #[format(len(b))] a: u8 }",
        &["no row is called `b`"],
    ),
    (
        "#[format()] struct K { #[format(len(b, d))] a: u8, pub b: u8, pub c: u8, pub d: u8 }",
        &["a length is that of rows which lie together"],
    ),
    (
        "#[format()] struct K { #[format(len(..))] a: u8, pub b: u8 }",
        &["a length cannot count itself: let it begin behind its row"],
    ),
    (
        "#[format()] struct K { pub b: u8, pub c: u8, #[format(len(b..a))] a: u8 }",
        &["a length of several rows stands before them"],
    ),
    (
        "#[format()] struct K { pub b: Vec<u8>, #[format(len(b))] a: u8 }",
        &["a length behind its row needs the end of the input: say `whole`"],
    ),
    (
        "#[format()] struct K { #[format(len(c))] a: u8, #[format(len(c))] b: u8, pub c: Vec<u8> }",
        &["`c` has a length already"],
    ),
    (
        "#[format()] struct K { #[format(len(c..))] a: u8, #[format(len(c..))] b: u8, pub c: u8, pub d: Vec<u8> }",
        &["these rows have a length already: `a`"],
    ),
    (
        "#[format()] struct K { #[format(len(c..=d))] a: u8, #[format(len(d..=e))] b: u8, pub c: u8, pub d: u8, pub e: u8 }",
        &["the rows of `b` and of `a` overlap: one must hold the other"],
    ),
    (
        "#[format()] struct K { #[format(len(b..a))] a: u8, pub b: u8 }",
        &["a range of rows is empty"],
    ),
    (
        "#[format()] struct K { #[format(crc32(b, b..))] a: u32, pub b: u8 }",
        &["ranges of rows stand in order and do not overlap"],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u8, #[format(bits = 1)] pub b: u8, #[format(crc32(b..a))] a: u32 }",
        &["a range of rows is one of whole bytes: name the word, not its bits"],
    ),
    (
        "#[format()] struct K { #[format(crc32(..))] a: u32, pub b: u8 }",
        &["the checksum `a` cannot cover itself"],
    ),
    (
        "#[format()] struct K { #[format(crc32(b..))] a: u32, pub b: u8, #[format(crc32(b))] c: u32 }",
        &[
            "`a` covers the checksum `c`, which is computed after it: checksums are computed in row order",
        ],
    ),
    (
        "#[format()] struct K { #[format(count(b))] a: u8, pub b: Vec<u8> }",
        &["a count is that of entries, and `b` is no `Vec` of a kind"],
    ),
    (
        "#[format(whole)] struct K { pub b: Vec<E>, #[format(count(b))] a: u8 }",
        &["a count stands before what it counts"],
    ),
    (
        "#[format()] struct K { #[format(count(c))] a: u8, #[format(count(c))] b: u8, pub c: Vec<E> }",
        &["`c` has a count already"],
    ),
    (
        "#[format()] struct K { #[format(count(c))] a: u8, #[format(len(c))] b: u8, pub c: Vec<E> }",
        &["`c` has a length and a count"],
    ),
    (
        "#[format()] struct K { #[format(len(b), null = 0)] a: u8, pub b: Vec<u8> }",
        &["the length of `b` can say null: make it `Option<..>`"],
    ),
    (
        "#[format()] struct K { pub f: u8, #[format(len(b), null = 0)] a: u8, #[format(when = f == 1)] pub b: Option<Vec<u8>> }",
        &["a row is absent by its length, or by a condition or a tag, not by both"],
    ),
    (
        "#[format()] struct K { #[format(len(b..), null = 0)] a: u8, pub b: u8, pub c: Vec<u8> }",
        &["`null` and `bias` are for the length of one row of bytes, text or entries"],
    ),
    (
        "#[format()] struct K { #[format(tag)] pub a: Option<Vec<u8>> }",
        &["an optional row needs a length: `len(a)`"],
    ),
    // What takes the rest.
    (
        "#[format()] struct K { pub a: Vec<u8>, pub b: u8 }",
        &[
            "`a` takes the rest, so rows behind it need the end: say `whole`, or give it `len` or `count`",
        ],
    ),
    (
        "#[format(whole, trailing = ignore)] struct K { pub a: Vec<u8>, pub b: u8 }",
        &[
            "`a` takes the rest, so rows behind it need the end, which `trailing = ignore` leaves open",
        ],
    ),
    (
        "#[format(whole)] struct K { pub a: Vec<u8>, pub b: Vec<u8> }",
        &["only one row can take the rest, and `a` does"],
    ),
    (
        "#[format(whole)] struct K { pub a: Vec<u8>, #[format(varint)] pub b: i32 }",
        &[
            "behind `a`, which takes the rest, a row is found from the end: it needs a fixed size or `len`",
        ],
    ),
    (
        "#[format(whole)] struct K { pub a: Vec<u8>, #[format(len(c..))] b: u8, pub c: u8, pub d: u8 }",
        &["behind `a`, which takes the rest, a length is that of one row"],
    ),
    (
        "#[format()] struct K { #[format(len(b..))] a: u8, pub b: Vec<u8>, pub c: u8 }",
        &["`b` takes what its bound leaves, so no row of that bound can follow it"],
    ),
];
