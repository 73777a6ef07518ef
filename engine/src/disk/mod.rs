//! The traits every byte goes through.
//!
//! A [`Directory`] is an open handle, and everything in it is named relative to that handle by a single path component:
//! no path is resolved twice, so nothing can be swapped for something else between two looks. Links are never followed
//! below the handle, and only regular files are ever opened, so that a FIFO, a device or a planted link under a known
//! name is an error at once ([`is_irregular`]) and never a hang or a read of something else.
//!
//! [`real`] is the operating system. [`memory`] holds files in memory, sparse ones too, so that whatever is built on
//! these traits can be tested without a disk. [`simulated`] is a disk that loses power, fails and damages what it holds.
//!
//! ```
//! use ondisk_engine::disk::real::RealDirectory;
//! use ondisk_engine::disk::{Directory, EntryKind, read_exact_at, write_all_at};
//!
//! # let place = tempfile::tempdir()?;
//! # let path = place.path();
//! let directory = RealDirectory::open(path)?;
//! let file = directory.create("notes")?;
//! write_all_at(&*file, b"durable once both are synced", 0)?;
//! file.sync_all()?;
//! directory.sync()?;
//!
//! assert_eq!(directory.stat("notes")?.0, EntryKind::File);
//! let mut bytes = [0; 7];
//! read_exact_at(&*directory.file("notes")?, &mut bytes, 0)?;
//! assert_eq!(&bytes, b"durable");
//! # Ok::<(), std::io::Error>(())
//! ```

mod directory;
mod file;
pub mod hooked;
pub mod memory;
pub mod real;
mod refused;
pub mod simulated;

pub use directory::{Directory, Entry, EntryKind, Replace};
pub use file::{File, Stat, copy, read_exact_at, write_all_at};
use refused::single_component;
pub use refused::{Irregular, Lock, Locked, is_irregular, locked};
