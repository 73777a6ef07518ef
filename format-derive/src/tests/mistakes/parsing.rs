//! What cannot be read at all.

use super::Case;

pub(super) const CASES: &[Case] = &[
    // The item.
    (
        "#[format()] union K { a: u8 }",
        &["a union cannot be a kind: say which rows are there with `when`"],
    ),
    (
        "#[format()] struct K(u8);",
        &["a kind needs named fields, one a row: `struct Name { row: type, .. }`"],
    ),
    (
        "#[format()] struct K;",
        &["a kind needs named fields, one a row: `struct Name { row: type, .. }`"],
    ),
    ("#[format()] struct K {}", &["a kind has at least one row"]),
    (
        "#[format()] struct K<T> { pub a: u8 }",
        &["a kind cannot be generic: its layout must be known when it is defined"],
    ),
    (
        "#[format()] struct K<const N: usize> { pub a: u8 }",
        &["a kind cannot be generic: its layout must be known when it is defined"],
    ),
    (
        "#[format()] struct K<'a, 'b> { pub a: &'a [u8] }",
        &["a kind has at most one lifetime, without bounds: that of its input"],
    ),
    (
        "#[format()] struct K<'a> where u8: Copy { pub a: &'a [u8] }",
        &["a kind cannot have a where clause"],
    ),
    // Keys of the item.
    (
        "#[format(wide)] struct K { pub a: u8 }",
        &[
            "unknown key `wide`; a kind takes `file = \"name\"`, `head_of = \"name\"`, `whole`, `reads = 1..=2`, \
           `writes = 1`, `gate(2 = FEATURE)`, `adopt`, `version_of = Kind`, `order(first, .., last)`, \
           `trailing = ignore`, `check = path`, `le`, `authoritative`, `derived`, `canonical`, `arbitrary = path`, \
           `crate = path`",
        ],
    ),
    (
        "#[derive(Format)] #[format = \"x\"] struct K { pub a: u8 }",
        &["expected `#[format(..)]`"],
    ),
    (
        "#[format(whole, whole)] struct K { pub a: u8 }",
        &["`whole` is said twice"],
    ),
    (
        "#[format(le whole)] struct K { pub a: u8 }",
        &["expected `,`; `le` is written `le`"],
    ),
    (
        "#[format(reads = 2..=1)] struct K { pub a: u8 }",
        &["the range of versions is empty; write `reads = 1..=2`"],
    ),
    (
        "#[format(whole, trailing = keep)] struct K { pub a: u8 }",
        &["bytes behind the last row are refused unless ignored; write `trailing = ignore`"],
    ),
    (
        "#[format(authoritative, derived)] struct K { pub a: u8 }",
        &["a file is either `authoritative` or `derived`"],
    ),
    (
        "#[format(order(a))] struct K { #[format(max = 1)] pub a: u8 }",
        &["`..` must stand for the checks in the default order; write `order(first, .., last)`"],
    ),
    (
        "#[format(order(.., a, ..))] struct K { #[format(max = 1)] pub a: u8 }",
        &["`..` stands for the rest, once; write `order(first, .., last)`"],
    ),
    // Keys of a row.
    (
        "#[format()] struct K { #[format(3)] pub a: u8 }",
        &[
            "expected a key; a row takes `magic = b\"..\"`, `version`, `must_be = 0`, `reserved` or `reserved = keep`, \
           `len(rows)`, `count(row)`, `crc32(rows)`, `crc32c(rows)`, `crc64(rows)`, `word`, `bits = 0..=28`, \
           `min = value`, `max = value`, `when = condition`, `tag` or `tag = fixed`, `null = -1`, `bias = 1`, \
           `since = 2`, `until = 1`, `varint`, `uvarint`, `le`, `nested`, `check = path`",
        ],
    ),
    (
        "#[format()] struct K { #[format] pub a: u8 }",
        &["expected `#[format(..)]`"],
    ),
    (
        "#[format()] struct K { #[format(reserved, must_be = 0)] a: u8 }",
        &["a row has one role; `must_be` is a second one"],
    ),
    (
        "#[format()] struct K { #[format(max =)] pub a: u8 }",
        &["unexpected end of input, expected a value; write `max = value`"],
    ),
    (
        "#[format()] struct K { #[format(reserved = zero)] pub a: u8 }",
        &["reserved bytes are written 0, or kept; write `reserved` or `reserved = keep`"],
    ),
    (
        "#[format()] struct K { #[format(tag = zero)] pub a: Option<u8> }",
        &[
            "a tagged row takes its bytes only when it is there, or `fixed`; write `tag` or `tag = fixed`",
        ],
    ),
    (
        "#[format()] struct K { #[format(word)] w: u8, #[format(bits = 3..=1)] pub a: u8 }",
        &["the low bit comes first; write `bits = 0..=28`"],
    ),
    (
        "#[format()] struct K { pub a: u8, #[format(crc32())] crc: u32 }",
        &["expected rows: `a`, `..a`, `a..`, `a..b` or `a..=b`; write `crc32(rows)`"],
    ),
    (
        "#[format()] struct K { pub a: u8, #[format(crc32(3))] crc: u32 }",
        &["expected a row or a range of rows; write `crc32(rows)`"],
    ),
    (
        "#[format()] struct K { #[format(count(b c))] a: u8, pub b: Vec<E> }",
        &["expected `)`; write `count(row)`"],
    ),
    (
        "#[format()] struct K { #[cfg(test)] pub a: u8 }",
        &[
            "a row cannot be conditional: the layout must be the same in every build; use `since` and versions",
        ],
    ),
    (
        "#[format()] struct K { #[cfg_attr(test, format(le))] pub a: u16 }",
        &[
            "a row cannot be conditional: the layout must be the same in every build; use `since` and versions",
        ],
    ),
    // Types.
    (
        "#[format()] struct K { pub a: usize }",
        &["`usize` has no layout here; take u8 to u64 or i8 to i64"],
    ),
    (
        "#[format()] struct K { pub a: (u8, u8) }",
        &[
            "a row is an integer, `[u8; N]`, `&'a [u8]`, `Vec<u8>`, `&'a str`, `String`, a kind, an enum, \
           `Vec<kind>`, or an `Option` of one of them",
        ],
    ),
    (
        "#[format()] struct K { pub a: &[u8] }",
        &[
            "a row is an integer, `[u8; N]`, `&'a [u8]`, `Vec<u8>`, `&'a str`, `String`, a kind, an enum, \
           `Vec<kind>`, or an `Option` of one of them",
        ],
    ),
];
