//! Reading a log: views of records in pages that stay alive as long as somebody looks at them (Felix 9).
//!
//! Readers take no lock that a writer holds. They find the segment of an offset in the list that the log publishes, the
//! position by its index, and walk: each record is checked once on the way, nothing of it is copied, nothing is allocated.
//! What a reader holds stays as it was, whatever becomes of the log: retention unlinks files, and a truncation puts a
//! shorter file in the place of one that somebody looks at.

mod budget;
mod cursor;
mod find;
mod follow;
mod further;
mod index;
mod only;
mod opener;
mod pages;
mod range;
mod record;
mod records;
mod signal;
mod slot;
mod view;
mod watch;

pub use budget::Budget;
pub use follow::Follow;
pub use only::ReadOnlyLog;
pub(super) use opener::Opener;
pub(super) use range::range;
pub use record::{KeptRecord, Record};
pub use records::Records;
pub(super) use signal::Signal;
pub(super) use slot::Slot;
pub(super) use view::View;

/// How far a reader may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// To the newest record.
    #[default]
    Tail,
    /// To the newest record that is flushed.
    Durable,
    /// To the newest record that is known to be held by a majority.
    Commit,
}
