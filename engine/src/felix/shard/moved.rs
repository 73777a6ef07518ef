//! Whether a directory stood still while it was looked at.

use std::{error, fmt, io};

use ondisk::felix::DurableMark;
use ondisk::felix::name::{SegmentFile, Sidecar};

use super::Shard;
use super::open::read_mark;
use crate::disk::EntryKind;
use crate::felix::error::StorageError;

/// The error of a file that is not what it was when it was listed.
#[derive(Clone, Copy, Debug)]
struct NotTheSame;

impl fmt::Display for NotTheSame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("replaced or shortened while it was looked at")
    }
}

impl error::Error for NotTheSame {}

pub(super) fn moved() -> io::Error {
    io::Error::other(NotTheSame)
}

/// Whether a failure comes from a directory that did not stand still: a file was replaced, shortened or removed after it
/// was listed. Looking again may succeed.
///
/// ```
/// use ondisk::felix::name::SegmentFile;
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::Access;
/// use ondisk_engine::felix::shard::{Shard, is_moved};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// std::fs::remove_file(path.join("00000000000000000000.log"))?;
/// let opened = shard.open(SegmentFile::Log { id: 0 }, Access::default());
/// assert!(opened.is_err_and(|error| is_moved(&error)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_moved(error: &StorageError) -> bool {
    let StorageError::Io { source, .. } = error else {
        return false;
    };
    let replaced = source
        .get_ref()
        .is_some_and(|inner| inner.is::<NotTheSame>());
    replaced
        || matches!(
            source.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
        )
}

/// What is not as it was when the directory was listed.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::log::{Config, Entry, Log};
/// use ondisk_engine::felix::shard::{Moved, Shard};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let log = Log::open(path, Config::default())?;
/// let shard = Shard::look(RealDirectory::open(path)?, None)?;
/// assert!(shard.moved()?.is_empty());
/// log.append(&[Entry::new(b"one more")])?;
/// assert!(matches!(&shard.moved()?[..], [Moved::Grew { .. }]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moved {
    /// A segment grew.
    Grew {
        /// Name of the file.
        name: String,
        /// Bytes that it had.
        from: u64,
        /// Bytes that it has.
        to: u64,
    },
    /// A segment was written to, replaced or shortened; or `durable.mark` went back, ahead of a truncation or reset.
    Changed {
        /// Name of the file.
        name: String,
    },
    /// A segment is gone.
    Gone {
        /// Name of the file.
        name: String,
    },
    /// A segment is new.
    New {
        /// Name of the file.
        name: String,
    },
}

/// The segment that a mark names and the bytes of it that it vouches for; none when it does not decode, which is less
/// than any.
fn vouched_for(mark: &[u8]) -> Option<(u64, u64)> {
    let mark = DurableMark::view(mark).ok()?;
    Some((mark.segment(), mark.synced_bytes()))
}

impl Shard {
    /// Compares every segment with what it was when the directory was listed, and looks for new ones. Of the mark only a
    /// step back counts: it goes forward with every flush.
    ///
    /// # Errors
    /// [`StorageError::Io`] when the directory cannot be listed any more.
    pub fn moved(&self) -> Result<Vec<Moved>, StorageError> {
        let Some(directory) = &self.directory else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let vouched = self.mark().ok().and_then(vouched_for);
        if read_mark(&**directory)
            .ok()
            .and_then(|bytes| vouched_for(&bytes))
            < vouched
        {
            found.push(Moved::Changed {
                name: Sidecar::DurableMark.file_name().to_owned(),
            });
        }
        for (file, presence) in &self.files {
            let Some(seen) = presence.stat else { continue };
            let name = file.to_string();
            match directory.stat(&name) {
                Ok((EntryKind::File, now)) if now == seen => {}
                Ok((EntryKind::File, now)) if now.inode == seen.inode && now.len > seen.len => {
                    found.push(Moved::Grew {
                        name,
                        from: seen.len,
                        to: now.len,
                    });
                }
                Ok(_) => found.push(Moved::Changed { name }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    found.push(Moved::Gone { name })
                }
                Err(error) => {
                    return Err(StorageError::io(self.path().join(name), "look at")(error));
                }
            }
        }
        for entry in directory
            .entries()
            .map_err(StorageError::io(self.path(), "list"))?
        {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let measured = matches!(
                SegmentFile::parse(name),
                Some(file @ (SegmentFile::Log { .. } | SegmentFile::Temporary { .. })) if !self.has(file)
            );
            if measured {
                found.push(Moved::New {
                    name: name.to_owned(),
                });
            }
        }
        found.sort();
        Ok(found)
    }
}
