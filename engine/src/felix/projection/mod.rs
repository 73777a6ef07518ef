//! What the records of a cache or counter shard amount to (Felix 13).

pub mod cache;
pub mod counter;
