//! Holding a directory against what it was: nobody but the repair may touch it while it is repaired.
//!
//! The lock keeps out whoever asks for it. What does not ask is found here: before each step every name is looked at
//! again, its length, its time, its inode, and what the steps before did is all that may differ.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::{error, fmt, io};

use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk_engine::disk::{Directory, EntryKind, Stat};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::recovery::Step;

/// What a name stood for.
type Known = (EntryKind, Option<Stat>);

/// A directory as it must be.
pub(super) struct Still {
    directory: Arc<dyn Directory>,
    known: BTreeMap<OsString, Known>,
    /// The step that was let go ahead last.
    ahead: Option<Step>,
    /// Names that steps may still look at before all of them are looked at again.
    credit: usize,
}

/// Names of which all are looked at before every single step; in larger directories, each time as many steps were done
/// as there are hundreds of names, so that the looks stay in proportion to the work.
const SMALL: usize = 1024;

/// The error of a directory that somebody else touched.
#[derive(Debug)]
struct Disturbed;

impl fmt::Display for Disturbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("was changed by another process while it was being repaired")
    }
}

impl error::Error for Disturbed {}

/// Whether something ended because another process touched what was being repaired.
pub(crate) fn is_disturbed(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Disturbed>())
}

impl Still {
    /// The directory as it is.
    pub(super) fn look(directory: &Arc<dyn Directory>) -> Result<Self, StorageError> {
        Ok(Self {
            known: names(directory)?,
            directory: Arc::clone(directory),
            ahead: None,
            credit: 0,
        })
    }

    /// Whether it is still so.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        let now = names(&self.directory)?;
        if now == self.known {
            return Ok(());
        }
        let differs = |name: &&OsString| now.get(*name) != self.known.get(*name);
        let name = self.known.keys().chain(now.keys()).find(differs);
        Err(self.disturbed(name.map(OsString::as_os_str).unwrap_or_default()))
    }

    /// Before a step: all is as the steps before left it.
    pub(super) fn before(&mut self, step: &Step) -> Result<(), StorageError> {
        self.settle()?;
        if self.known.len() > SMALL && self.credit > 0 {
            self.credit -= 1;
            self.check_own(step)?;
        } else {
            self.credit = self.known.len() / 100;
            self.check()?;
        }
        self.ahead = Some(step.clone());
        Ok(())
    }

    /// After the last step.
    pub(super) fn end(&mut self) -> Result<(), StorageError> {
        self.settle()?;
        self.check()
    }

    /// Takes a file that the repair itself wrote as it is now.
    pub(super) fn accept(&mut self, name: &str) -> Result<(), StorageError> {
        match self.stat(name)? {
            Some(known) => self.known.insert(name.into(), known),
            None => self.known.remove(OsString::from(name).as_os_str()),
        };
        Ok(())
    }

    /// What the step that was let go ahead must have done is how it has to be from now on.
    fn settle(&mut self) -> Result<(), StorageError> {
        let Some(step) = self.ahead.take() else {
            return Ok(());
        };
        let log = |id| SegmentFile::Log { id }.to_string();
        match step {
            Step::Save { bytes, to, .. } => self.made(&to.to_string(), |stat| stat.len == bytes),
            // In its place, or by another file that takes its name.
            Step::Cut { segment, position } => {
                self.made(&log(segment), |stat| stat.len == position)
            }
            Step::Rename { from, to } => {
                let from = OsString::from(from.to_string());
                let was = self.known.remove(&from).and_then(|(_, stat)| stat);
                self.made(&to.to_string(), |stat| Some(*stat) == was)
            }
            Step::Unlink { file } => {
                self.known
                    .remove(OsString::from(file.to_string()).as_os_str());
                Ok(())
            }
            Step::RemoveMark => {
                let name = OsString::from(Sidecar::DurableMark.file_name());
                self.known.remove(&name);
                Ok(())
            }
            Step::WriteIndex { segment } => {
                // What no mark vouches for is written once more.
                let name = log(segment);
                let was = self.known.get(OsString::from(&name).as_os_str());
                let was = was.and_then(|(_, stat)| *stat);
                self.made(&name, |stat| {
                    was.is_some_and(|was| (was.len, was.inode) == (stat.len, stat.inode))
                })?;
                self.accept(&SegmentFile::Index { id: segment }.to_string())
            }
            Step::Create { segment, .. } => {
                self.accept(&log(segment))?;
                self.accept(&SegmentFile::Index { id: segment }.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Takes a name as a step left it, if that is what the step had to do.
    fn made(
        &mut self,
        name: &str,
        is_right: impl FnOnce(&Stat) -> bool,
    ) -> Result<(), StorageError> {
        match self.stat(name)? {
            Some((EntryKind::File, Some(stat))) if is_right(&stat) => {
                self.known
                    .insert(name.into(), (EntryKind::File, Some(stat)));
                Ok(())
            }
            _ => Err(self.disturbed(name.as_ref())),
        }
    }

    /// Only what a step itself is about.
    fn check_own(&self, step: &Step) -> Result<(), StorageError> {
        let name = match *step {
            Step::Save { segment, .. }
            | Step::Cut { segment, .. }
            | Step::WriteIndex { segment } => SegmentFile::Log { id: segment },
            Step::Unlink { file } | Step::Rename { from: file, .. } => file,
            _ => return self.check(),
        };
        let name = name.to_string();
        if self.stat(&name)?.as_ref() == self.known.get(OsString::from(&name).as_os_str()) {
            Ok(())
        } else {
            Err(self.disturbed(name.as_ref()))
        }
    }

    fn stat(&self, name: &str) -> Result<Option<Known>, StorageError> {
        stat(&self.directory, name)
    }

    fn disturbed(&self, name: &std::ffi::OsStr) -> StorageError {
        StorageError::Io {
            source: io::Error::other(Disturbed),
            path: self.directory.path().join(name),
            operation: "repair",
        }
    }
}

fn names(directory: &Arc<dyn Directory>) -> Result<BTreeMap<OsString, Known>, StorageError> {
    let entries = directory.entries().map_err(|source| StorageError::Io {
        source,
        path: directory.path().to_owned(),
        operation: "list",
    })?;
    let mut found = BTreeMap::new();
    for entry in entries {
        // A name that is no text is none of ours: that it is there is all that is known of it.
        let known = match entry.name.to_str() {
            Some(name) => stat(directory, name)?,
            None => Some((entry.kind, None)),
        };
        if let Some(known) = known {
            found.insert(entry.name, known);
        }
    }
    Ok(found)
}

fn stat(directory: &Arc<dyn Directory>, name: &str) -> Result<Option<Known>, StorageError> {
    match directory.stat(name) {
        Ok((kind, stat)) => Ok(Some((kind, Some(stat)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StorageError::Io {
            source,
            path: directory.path().join(name),
            operation: "look at",
        }),
    }
}

#[cfg(test)]
mod tests;
