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
pub use crate::seq::Place;

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
