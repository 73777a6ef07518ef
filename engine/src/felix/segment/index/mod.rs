//! The sparse index of a segment (Felix 5).
//!
//! It is derived and without a checksum: an entry only says where a validating pass may start. So an index is judged by
//! its entries, held against the records they point at, and never by comparing bytes.

mod build;
mod check;
mod entries;

pub use build::Builder;
pub use check::{Check, Standing};
pub use entries::{Entries, Unusable};
