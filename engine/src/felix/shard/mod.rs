//! One shard directory as it was listed (Felix 2).
//!
//! A [`Shard`] is a look at one moment: which names there are, and how long each segment was. Everything that is said
//! about a live directory is said about that moment. What is appended later does not exist, and a file that was replaced
//! or shortened is an error, not a finding ([`Shard::moved`]).

mod listing;
mod moved;
mod open;

pub use listing::{Foreign, SegmentEntry, Shard, Strangeness};
pub use moved::{Moved, is_moved};
pub(crate) use open::read_mark;
