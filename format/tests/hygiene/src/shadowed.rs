//! Names that mean something else here. Only `u8` does not: the derives of zerocopy write it as it is.
#![allow(
    dead_code,
    non_camel_case_types,
    missing_debug_implementations,
    reason = "that is the point"
)]

use storage::format;

/// Not the primitive.
pub struct u16;
/// Not the primitive.
pub struct u32;
/// Not the primitive.
pub struct u64;
/// Not the primitive.
pub struct usize;
/// Not the primitive.
pub struct bool;
/// Not the primitive.
pub struct str;
/// Not the one of the prelude.
pub enum Option {}
/// Not the one of the prelude.
pub enum Result {}
/// Not the one of the prelude.
pub struct Vec;
/// Not the one of the prelude.
pub struct String;
/// Not the one of the prelude.
pub struct Some;
/// Not the one of the prelude.
pub struct None;
/// Not the one of the prelude.
pub struct Ok;
/// Not the one of the prelude.
pub struct Err;
/// Not the one of the library.
pub trait Format {}
/// Not the one of the prelude.
pub trait From {}
/// Not the one of the prelude.
pub trait Iterator {}
/// Not the one of the prelude.
pub trait TryFrom {}

mod core {}
mod alloc {}
mod std {}
mod ondisk {}
mod zerocopy {}

/// A limit.
pub const LIMIT: ::core::primitive::u32 = 9;

/// A kind among them, of primitives by their paths.
#[format(crate = ::storage, reads = 1..=2)]
#[derive(Clone, Debug, PartialEq)]
pub struct Kind<'a> {
    /// The version.
    #[format(version)]
    version: ::core::primitive::u16,
    /// A number.
    #[format(max = LIMIT)]
    pub number: ::core::primitive::u32,
    /// A length.
    #[format(len(bytes))]
    len: ::core::primitive::i16,
    /// By version.
    #[format(since = 2)]
    pub later: ::core::option::Option<::core::primitive::u64>,
    /// Owned.
    pub bytes: ::std::vec::Vec<::core::primitive::u8>,
    /// A length that may say null.
    #[format(varint, len(slice), null = -1)]
    slice_len: ::core::primitive::i32,
    /// Borrowed.
    pub slice: ::core::option::Option<&'a [::core::primitive::u8]>,
    /// Over all before it.
    #[format(crc32c(..crc))]
    crc: ::core::primitive::u32,
}
