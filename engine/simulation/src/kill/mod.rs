//! Processes that write a log and are killed at random moments, on the real file system.
//!
//! A parent starts a process that does to a log all that can be done to one: appends from one thread and several, rolls in
//! the foreground and in the background, retention, truncations, resets, generations and leaders, closes and opens. The
//! process says on a pipe what it is about to do and what it did, each line in one unbuffered write. After a random number
//! of lines, or when a certain call was just begun, the parent sends `SIGKILL`. It reads the pipe to its end, looks at the
//! directory without changing it, and holds what is there against what was said:
//!
//! - every record for which an append returned is there, at its offset, byte by byte; none is there that was never sent;
//! - of an append that had not returned all records are there, none, or the front of them;
//! - a cut is done, not begun, or took some of the newest segments; never a record below it;
//! - history, leader and commit are the old ones or the new ones;
//! - what an open reports is what a kill can leave, and nothing is refused.
//!
//! Then the parent opens it, compares that with what it saw, and closes it; or it leaves it as it is, so that the next
//! process recovers it and may be killed meanwhile. The next round goes on in the same directory. The same is done to whole
//! data directories, with incarnations, deletes and registrations.
//!
//! # What this proves, and what not
//!
//! The page cache outlives a killed process. So a kill loses nothing that a `write` returned for, in any mode, synced or
//! not, and these rounds say nothing about missing syncs: an engine without a single `fsync` passes them all. What they
//! prove is that the calls come in an order which leaves a log at every moment, with the real kernel, real threads in the
//! background and real file systems; that recovery may be cut off and begun again; and that locks die with their holder.
//!
//! A power cut is another thing. [`Images`] comes near: a disk is copied while it is written, and the copy has only what its
//! file system had written by then. The rest is for the simulated disk, which loses whatever it may.

mod aim;
mod batch;
mod campaign;
mod command;
mod doing;
mod ground;
mod image;
mod look;
mod opened;
mod oracle;
mod process;
mod said;
mod settings;
mod store;
mod subject;
mod tally;
mod words;
mod writer;

pub use campaign::Campaign;
pub use command::{Arguments, run};
pub use doing::Doing;
pub use ground::{FileSystem, Ground};
pub use image::Images;
pub use settings::Mode;
pub use tally::Tally;
pub use writer::{WriterArguments, run as run_writer};
