//! One segment and its index: reading, scanning, seeking (Felix 3 to 5, 7.2).
//!
//! A [`Source`] hands out bytes, of a mapping or of a window that is read ahead; a [`Scan`] is what one pass over the
//! records finds. Nothing here decides what to repair.

mod geometry;
mod header;
pub mod index;
mod scan;
mod seek;
mod source;
mod zeros;

pub use header::Header;
pub use scan::{Failure, Kinds, Met, Scan, Visit, full, resume};
pub(crate) use scan::{failure, shortfall};
pub(crate) use seek::seek_from;
pub use seek::{Bytes, seek};
pub use source::{Access, Mode, Source};
pub use zeros::zero_run;

use ondisk::felix::{Record, SegmentHeader};

/// Bytes of a segment header, where the first record begins.
pub const HEADER_BYTES: u64 = SegmentHeader::MIN as u64;

/// Bytes of a record header.
pub const RECORD_HEADER_BYTES: u64 = Record::MIN as u64;
