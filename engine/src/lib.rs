//! Durable logs on the definitions of [`ondisk`]: what a storage engine does with a directory of files that were written
//! by it, by another build of it, or by a machine that lost power half-way.
//!
//! No byte of a format is spelled out here. Every header, record and sidecar is read through its definition; this crate
//! knows what the bytes *mean* together: which file vouches for which, what a crash can have left behind, and what may be
//! cut off without losing anything that somebody was told is safe.
//!
//! The floors, each importing only what stands below it:
//!
//! | floor | what it is |
//! |---|---|
//! | [`felix::store`] | a data directory: identity files, the shards below it |
//! | [`felix::log`] | one shard as a log: append, read, roll, retain, truncate |
//! | [`felix::opening`] | what an open of one shard does: manifest, plan, sidecars, projections |
//! | [`felix::producer`], [`felix::projection`] | what the records amount to: producers, caches, counters |
//! | [`felix::reader`] | the log as a plan leaves it |
//! | [`felix::recovery`] | the plan of a recovery, a value that can be printed, compared and tested without a disk |
//! | [`felix::sidecar`] | one small file each: what it says, and what its damage means |
//! | [`felix::shard`] | one shard directory as it was listed, at the lengths first seen |
//! | [`felix::segment`] | reading, scanning and seeking in one segment |
//! | [`felix::error`] | what goes wrong, by the names of the specification |
//! | [`commit`] | group commit: the durable bound of a log, and who waits for it |
//! | [`background`], [`clock`] | threads that all logs share, and the time |
//! | [`map`] | mapped files, the only `unsafe` |
//! | [`disk`] | the trait every byte goes through |
//!
//! Planning is apart from doing. Nothing in the read side changes a file, takes a lock or needs write permission; what
//! writes begins with [`felix::log::Log`].

#![deny(unsafe_code)]

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!(
    "ondisk-engine relies on the durability of fsync and rename as Linux and macOS give it"
);

pub mod background;
pub mod clock;
pub mod commit;
pub mod disk;
pub mod felix;
pub mod map;
#[doc(hidden)]
pub mod planted;
mod sync;
