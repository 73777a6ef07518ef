//! Enums.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "#[format(u8)] enum E { A = 0 }",
        &["an enum takes `#[derive(Format)]`, with `#[format(..)]` below it"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E<T> { A = 0 }",
        &["an enum of numbers cannot be generic"],
    ),
    (
        "#[derive(Format)] enum E { A = 0 }",
        &[
            "say what holds the number: `#[format(u8)]` (or another integer), or `#[format(bits = 3)]` for bits of a word",
        ],
    ),
    (
        "#[derive(Format)] #[format(u8, bits = 3)] enum E { A = 0 }",
        &["an enum is held by one integer or by bits"],
    ),
    (
        "#[derive(Format)] #[format(bits = 64)] enum E { A = 0 }",
        &[
            "1 to 32 bits; write `bits = 3`",
            "say what holds the number: `#[format(u8)]` (or another integer), or `#[format(bits = 3)]` for bits of a word",
        ],
    ),
    (
        "#[derive(Format)] #[format(i8)] enum E { A = 0 }",
        &["the number of an enum is unsigned: take u8, u16, u32 or u64"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E {}",
        &["an enum of numbers has at least one variant with a value"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E { A }",
        &["on disk nothing is implied: write `A = number`"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E { A(u8) }",
        &["a variant is a number with a name, without fields"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E { #[format(since = 2, until = 1)] A = 0 }",
        &["no version has it: `until` lies below `since`"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E { #[format(before = 2)] A = 0 }",
        &["unknown key `before`; a variant takes `since = 2`, `until = 1`, `other`"],
    ),
    (
        "#[derive(Format)] #[format(u8)] #[repr(u16)] enum E { A = 0, #[format(other)] B }",
        &["`other` keeps the number: `#[format(other)] B(u8)`"],
    ),
    (
        "#[derive(Format)] #[format(u16)] #[repr(u32)] enum E { A = 0, #[format(other)] B(u8) }",
        &["`other` keeps the number: `#[format(other)] B(u16)`"],
    ),
    (
        "#[derive(Format)] #[format(u32)] #[repr(u64)] enum E { A = 0, #[format(other)] B(i32) }",
        &["`other` keeps the number: `#[format(other)] B(u32)`"],
    ),
    (
        "#[derive(Format)] #[format(u64)] #[repr(u64)] enum E { A = 0, #[format(other)] B(u64, u64) }",
        &["`other` keeps the number: `#[format(other)] B(u64)`"],
    ),
    (
        "#[derive(Format)] #[format(u8)] enum E { A = 0, #[format(other)] B(u8) }",
        &["Rust wants to be told which integer numbers an enum with fields: add `#[repr(u16)]`"],
    ),
    (
        "#[derive(Format)] #[format(u8)] #[repr(u8)] enum E { A = 0, #[format(other)] B(u8) = 3 }",
        &["`other` stands for all numbers without a name, so it has none"],
    ),
    (
        "#[derive(Format)] #[format(u8)] #[repr(u8)] enum E { A = 0, #[format(other, since = 3)] B(u8) }",
        &["numbers without a name are not of some versions alone"],
    ),
    (
        "#[derive(Format)] #[format(u8)] #[repr(u8)] enum E { A = 0, #[format(other)] B(u8), #[format(other)] C(u8) }",
        &["one variant can keep the other numbers"],
    ),
];
