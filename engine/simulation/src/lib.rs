//! Proof that what the engine acknowledges survives.
//!
//! A durable log is worth what its worst crash leaves. Here short scripts run on a simulated disk and lose power at every
//! operation, have every call fail with every error, and go on; processes that write are killed on the real file system. An
//! oracle that knows what was acknowledged holds each outcome against it.

pub mod campaign;
pub mod command;
pub mod copy;
pub mod draw;
pub mod explore;
pub mod faults;
pub mod kill;
pub mod others;
pub mod promise;
mod random;
pub mod repair;
pub mod shard;
pub mod shrink;
pub mod store;
