//! What a log brings along.

use std::io;

/// What makes records durable. There is an example at [`GroupCommit`](super::GroupCommit).
pub trait Flush: Send + Sync {
    /// Makes durable whatever was appended when it is called. Returns one past the last offset that is. Never runs twice at
    /// a time. It runs with the flush lock held, so it must not wait for a commit.
    ///
    /// # Errors
    /// Whatever the sync reports; no later call is made.
    fn flush(&self) -> io::Result<u64>;

    /// The bound that a flush gave is public now. Called with the flush lock held and no other.
    fn published(&self) {}
}
