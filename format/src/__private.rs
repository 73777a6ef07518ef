//! What generated code needs from this crate.

#[cfg(feature = "alloc")]
pub use alloc::{string::String, vec::Vec};
pub use core;
pub use zerocopy;

#[cfg(feature = "arbitrary")]
pub use crate::arbitrary as generate;
#[cfg(feature = "arbitrary")]
pub use arbitrary;

pub use crate::error::Fail;
pub use crate::format::Format;
pub use crate::seq::{Place, check_entries, count_fits, open_entries, values};

use crate::describe::Kind;
use crate::error::{Error, Fault};

/// The piece of `input` from `pos` on, `len` bytes long, if it ends by `end`.
#[inline(always)]
#[must_use]
pub fn take(input: &[u8], pos: usize, len: u64, end: usize) -> Option<&[u8]> {
    let behind = pos.checked_add(usize::try_from(len).ok()?)?;
    if behind > end {
        return None;
    }
    input.get(pos..behind)
}

/// Where `len` bytes from `start` on end, if that is by `limit`.
#[inline(always)]
#[must_use]
pub fn bound(start: usize, len: u64, limit: usize) -> Option<usize> {
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    (end <= limit).then_some(end)
}

/// Where `len` bytes that end at `end` begin, if that is not before `floor`.
#[inline(always)]
#[must_use]
pub fn back(end: usize, len: u64, floor: usize) -> Option<usize> {
    let start = end.checked_sub(usize::try_from(len).ok()?)?;
    (floor <= start).then_some(start)
}

/// The `N` bytes from `FROM` on of bytes that are known to have as many.
#[inline(always)]
#[must_use]
pub fn span<const FROM: usize, const N: usize>(bytes: &[u8]) -> &[u8; N] {
    let span = bytes.get(FROM..).and_then(<[u8]>::first_chunk);
    span.unwrap_or(&[0; N])
}

/// A failure for want of bytes: a short read where the input ends, an overrun where a declared length does.
#[inline(always)]
pub fn short<E: Fail>(
    kind: &'static Kind,
    row: u16,
    at: usize,
    needed: u64,
    available: usize,
    closed: bool,
) -> E {
    E::fail(|| {
        let available = available as u64;
        let fault = if closed {
            Fault::Overrun { needed, available }
        } else {
            Fault::Short { needed, available }
        };
        Error::new(kind, row, at, fault)
    })
}

/// Hands its contents on where values can be owned.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! __alloc {
    ($($item:tt)*) => { $($item)* };
}

/// Hands its contents on where values can be owned.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __alloc {
    ($($item:tt)*) => {};
}

/// Hands its contents on where arbitrary values are asked for.
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
#[macro_export]
macro_rules! __arbitrary {
    ($($item:tt)*) => { $($item)* };
}

/// Hands its contents on where arbitrary values are asked for.
#[cfg(not(feature = "arbitrary"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __arbitrary {
    ($($item:tt)*) => {};
}
