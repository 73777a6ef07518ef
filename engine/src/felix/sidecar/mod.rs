//! The files beside the segments: what each says, and what its damage means (Felix 6, 11).
//!
//! | file | class | damaged, or no regular file |
//! |---|---|---|
//! | `replica`, `ballot`, `offload.manifest` | authoritative | the open fails |
//! | `durable.mark`, `epochs`, `producers`, `keys.idx` | derived | as if it were not there; the damage is kept for reports |
//!
//! An error of the system on an authoritative file is an error of the call; a derived file that cannot be read counts as
//! absent like any other damage to it.

pub mod accepted;
pub mod ballot;
pub mod epochs;
mod file;
pub mod keys;
mod loaded;
pub mod manifest;
pub mod mark;
pub mod producers;
pub mod replica;
pub mod store;

pub(crate) use file::{Look, read_file, small};
pub use loaded::Loaded;
