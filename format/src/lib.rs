//! Describe a file format once, as an annotated struct, and get everything that a careful engineer would otherwise write
//! by hand and get wrong: the `#[repr(C)]` layout, a zero-copy view, the checks in the right order, the writer, the
//! version gate, arbitrary values, an annotated dump, a fuzz target and the specification page.
//!
//! ```
//! use ondisk::format;
//!
//! /// Where a queue was read up to.
//! #[format(whole, reads = 1..=1)]
//! #[derive(Clone, Debug, PartialEq)]
//! pub struct Cursor {
//!     #[format(magic = b"CURS")]
//!     magic: [u8; 4],
//!     #[format(version)]
//!     version: u16,
//!     /// The next offset to read.
//!     pub offset: u64,
//!     #[format(crc32(..crc))]
//!     crc: u32,
//! }
//!
//! let mut bytes = Vec::new();
//! Cursor { offset: 7 }.encode(Cursor::write_version(&ondisk::FeatureLevels::NONE), &mut bytes)?;
//! assert_eq!(Cursor::view(&bytes)?.offset(), 7);
//!
//! bytes[8] ^= 1;
//! let error = Cursor::view(&bytes).unwrap_err();
//! assert_eq!((error.row(), error.at()), ("crc", 14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The definition language is described with [`macro@format`]; the kinds of existing systems live in a module each.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
// The macros name this crate by its path; its own kinds must find it too.
#[allow(
    unused_extern_crates,
    reason = "without a kind of its own nothing names it"
)]
extern crate self as ondisk;
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
pub mod checksum;
#[cfg(feature = "alloc")]
pub mod coverage;
pub mod describe;
#[cfg(feature = "alloc")]
pub mod dump;
#[cfg(feature = "alloc")]
pub mod encode;
mod error;
pub mod escape;
pub mod feature;
pub mod format;
mod kept;
#[cfg(feature = "alloc")]
pub mod lock;
#[cfg(feature = "alloc")]
pub mod page;
#[cfg(feature = "alloc")]
pub mod promise;
#[cfg(feature = "alloc")]
pub mod registry;
#[cfg(feature = "alloc")]
pub mod repair;
mod seq;
mod stream;
#[cfg(feature = "alloc")]
pub mod tree;
pub mod varint;
mod version;
pub mod walk;

#[cfg(feature = "felix")]
pub mod felix;

#[doc(hidden)]
pub mod __private;

pub use describe::Kind;
pub use error::{Bytes8, EncodeError, Error, Fail, Fault};
pub use feature::{Feature, FeatureLevels};
pub use kept::Kept;
pub use ondisk_derive::{Format, format};
pub use seq::{Entries, Seq};
pub use stream::Stream;
pub use version::{GateError, WriteVersion};
