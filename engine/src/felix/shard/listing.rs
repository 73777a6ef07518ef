//! Listing a shard directory and telling its names apart.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use ondisk::felix::name::{SegmentFile, ShardEntry, Sidecar};

use super::open::read_mark;
use crate::disk::{Directory, EntryKind, Stat};
use crate::felix::error::StorageError;

/// A shard directory at the moment it was listed.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::shard::{Shard, Strangeness};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// std::fs::write(path.join("backup.log"), "of somebody else")?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let segments: Vec<u64> = shard.segments().map(|segment| segment.id).collect();
/// assert_eq!(segments, [0]);
/// assert_eq!(shard.foreign()[0].name, "backup.log");
/// assert_eq!(shard.foreign()[0].why, Strangeness::Stray);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Shard {
    pub(super) directory: Option<Arc<dyn Directory>>,
    path: PathBuf,
    label: String,
    pub(super) files: BTreeMap<SegmentFile, Presence>,
    pub(super) sidecars: BTreeMap<Sidecar, EntryKind>,
    pub(super) mark: io::Result<Vec<u8>>,
    foreign: Vec<Foreign>,
    unknown: Vec<OsString>,
}

/// What is under the name of a segment file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Presence {
    pub(super) kind: EntryKind,
    /// Of a regular file whose length matters.
    pub(super) stat: Option<Stat>,
}

/// A segment in the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentEntry {
    /// Its id.
    pub id: u64,
    /// Its length when it was listed, in bytes; none when it is no regular file and so cannot be opened.
    pub bytes: Option<u64>,
}

/// A name that is reported and left alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foreign {
    /// The name.
    pub name: OsString,
    /// Why.
    pub why: Strangeness,
}

/// Why a name is foreign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strangeness {
    /// It ends like one of ours and is none (Felix 2.5), or is not one of the names at the top of a store (2.3).
    Stray,
    /// It is one of ours, and no regular file or real directory as it must be (1.5).
    Irregular,
}

impl Shard {
    /// Lists `directory`. `label` names the shard in errors, `tenant/namespace/stream/shard`; without one the path does.
    ///
    /// # Errors
    /// [`StorageError::Io`] when the directory cannot be listed.
    pub fn look(
        directory: Arc<dyn Directory>,
        label: Option<String>,
    ) -> Result<Self, StorageError> {
        let path = directory.path().to_owned();
        // Before any length is taken: the mark never runs ahead of a segment, but a segment that is being written to runs
        // ahead of what is seen of it.
        let mark = read_mark(&*directory);
        let entries = directory
            .entries()
            .map_err(StorageError::io(&path, "list"))?;
        let mut shard = Self::empty(path, label);
        for entry in entries {
            // A name that is not UTF-8 is none of ours, but may end like one.
            let classified = ShardEntry::of(&entry.name.to_string_lossy());
            let known = match classified {
                ShardEntry::Segment(file) => {
                    let stat = shard.stat(&*directory, file, entry.kind)?;
                    shard.files.insert(
                        file,
                        Presence {
                            kind: entry.kind,
                            stat,
                        },
                    );
                    true
                }
                ShardEntry::Sidecar(sidecar) => {
                    shard.sidecars.insert(sidecar, entry.kind);
                    true
                }
                ShardEntry::Temporary(_) => true,
                ShardEntry::Stray => {
                    shard.foreign.push(Foreign {
                        name: entry.name,
                        why: Strangeness::Stray,
                    });
                    continue;
                }
                ShardEntry::Unknown => false,
            };
            if known && entry.kind != EntryKind::File {
                shard.foreign.push(Foreign {
                    name: entry.name,
                    why: Strangeness::Irregular,
                });
            } else if !known {
                shard.unknown.push(entry.name);
            }
        }
        shard.foreign.sort();
        shard.unknown.sort();
        shard.mark = mark;
        shard.directory = Some(directory);
        Ok(shard)
    }

    /// A shard whose directory is missing: it opens as a fresh log.
    #[must_use]
    pub fn missing(path: impl Into<PathBuf>, label: Option<String>) -> Self {
        Self::empty(path.into(), label)
    }

    fn empty(path: PathBuf, label: Option<String>) -> Self {
        let label = label.unwrap_or_else(|| path.display().to_string());
        let (files, sidecars) = Default::default();
        Self {
            directory: None,
            path,
            label,
            files,
            sidecars,
            mark: Err(io::ErrorKind::NotFound.into()),
            foreign: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn stat(
        &self,
        directory: &dyn Directory,
        file: SegmentFile,
        kind: EntryKind,
    ) -> Result<Option<Stat>, StorageError> {
        let measured = matches!(
            file,
            SegmentFile::Log { .. } | SegmentFile::Temporary { .. }
        );
        if !measured || kind != EntryKind::File {
            return Ok(None);
        }
        let name = file.to_string();
        let (_, stat) = directory
            .stat(&name)
            .map_err(StorageError::io(self.path.join(name), "look at"))?;
        Ok(Some(stat))
    }

    /// Label of the shard, or the path of its directory.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Path of the directory, for messages.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Whether there is a directory.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.directory.is_some()
    }

    /// The segments by id, oldest first. Ids rise with the log; holes in them are normal.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = SegmentEntry> {
        self.files
            .iter()
            .filter_map(|(file, presence)| match *file {
                SegmentFile::Log { id } => Some(SegmentEntry {
                    id,
                    bytes: presence.stat.map(|stat| stat.len),
                }),
                _ => None,
            })
    }

    /// Segments under a temporary name, by id, with their lengths: what a truncation or reset was about to rename.
    pub fn temporaries(&self) -> impl Iterator<Item = (u64, u64)> {
        self.files
            .iter()
            .filter_map(|(file, presence)| match *file {
                SegmentFile::Temporary { id } => Some((id, presence.stat?.len)),
                _ => None,
            })
    }

    /// Whether a name of this kind is there, whatever it stands for.
    #[must_use]
    pub fn has(&self, file: SegmentFile) -> bool {
        self.files.contains_key(&file)
    }

    /// Whether it is there as a regular file: what is not is foreign, and left alone.
    pub(crate) fn is_regular(&self, file: SegmentFile) -> bool {
        self.files
            .get(&file)
            .is_some_and(|presence| presence.kind == EntryKind::File)
    }

    /// What is under the name of a sidecar, if anything.
    #[must_use]
    pub fn sidecar(&self, sidecar: Sidecar) -> Option<EntryKind> {
        self.sidecars.get(&sidecar).copied()
    }

    /// Names that are reported: stray ones, and those of ours that are no regular files. Sorted.
    #[must_use]
    pub fn foreign(&self) -> &[Foreign] {
        &self.foreign
    }

    /// Names that mean nothing to this build, such as the sidecars of a later one. Sorted.
    #[must_use]
    pub fn unknown(&self) -> &[OsString] {
        &self.unknown
    }
}
