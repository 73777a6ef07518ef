//! Orders that cannot be.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "#[format(order(a, ..))] struct K { pub a: u8 }",
        &["`a` has no check whose turn could be said"],
    ),
    (
        "#[format(order(.., n))] struct K { #[format(count(e), max = 3)] n: u8, pub e: Vec<E> }",
        &["finding `e` needs the check of `n` before it"],
    ),
    (
        "#[format(order(.., n))] struct K { #[format(count(e))] n: u8, pub e: Vec<E> }",
        &["finding `e` needs the count `n` before it"],
    ),
    (
        "#[format(order(crc, ..))] struct K<'a> {
            #[format(len(d..), max = 9)] n: u8, pub d: &'a [u8], #[format(crc32(d))] crc: u32 }",
        &[
            "`d` takes what its bound leaves, so no row of that bound can follow it",
        ],
    ),
    (
        "#[format(order(crc, ..))] struct K {
            #[format(crc32(b..))] crc: u32, #[format(len(b..), max = 9)] n: u8, pub b: u8, pub d: Vec<u8> }",
        &["the length `n` needs the check of `n` before it"],
    ),
    (
        "#[format(whole, order(sum, ..))] struct K<'a> {
            #[format(max = 3, len(a))] n: u8, pub a: &'a [u8], #[format(crc32(b))] sum: u32, #[format(check = c)] pub b: u8 }",
        &[],
    ),
    (
        "#[format(whole, reads = 1..=1)] struct K<'a> { #[format(varint)] pub a: i32, #[format(version)] v: u8, pub b: &'a [u8] }",
        &["the version is read first: only rows of fixed size may stand before it"],
    ),
    (
        "#[format(whole)] struct K<'a> { pub a: &'a [u8], #[format(len(a))] n: u8, #[format(varint)] pub b: i32 }",
        &["a length behind its row is found from the end: say `whole`, and let rows of fixed size alone follow"],
    ),
    // Found from the front by a length that is found behind what takes the rest in between.
    (
        "#[format(whole)] struct K<'a> {
            pub a: &'a [u8], pub rest: &'a [u8], #[format(len(a))] n: u8, #[format(len(t))] m: u8, pub t: &'a str }",
        &["finding `n` needs finding `a` before it"],
    ),
];
