//! What logs take of the heap, and what an open reads, however much there is of them. A binary of its own, because it
//! counts allocations.

#[path = "../counting/mod.rs"]
mod counting;
mod opening;
mod reading;
mod shard;
