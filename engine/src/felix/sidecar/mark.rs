//! `durable.mark`: up to where the active segment was flushed (Felix 6).

use std::io;
use std::sync::Arc;

use ondisk::felix::DurableMark;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::store::{encoded, remove_left_over};
use crate::disk::{self, Directory, File, is_irregular};
use crate::felix::error::SidecarDamage;
use crate::felix::mark::Mark;
use crate::felix::shard::Shard;

/// The mark. Only its first bytes count; whatever keeps it from decoding means that there is none. It was read a single
/// time, when the shard was listed.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<DurableMark> {
    match shard.mark() {
        Ok(bytes) => match DurableMark::view(bytes) {
            Ok(mark) => Loaded::Sound(mark.to_value()),
            Err(error) => Loaded::Damaged(SidecarDamage::of(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Loaded::Absent,
        Err(error) if is_irregular(error) => Loaded::Irregular,
        Err(error) => Loaded::Unreadable(error.to_string()),
    }
}

impl From<&Loaded<DurableMark>> for Mark {
    fn from(loaded: &Loaded<DurableMark>) -> Self {
        Self(loaded.sound().copied())
    }
}

/// The mark's file, which is written in place (Felix 6).
///
/// It is a hint: a directory, a link or whatever else lies under its name is left alone, and nothing is written then. No
/// mark vouches for less than any.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::mark::Mark;
/// use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::sidecar::mark::{self, MarkFile};
///
/// let directory = Arc::new(MemoryDirectory::new("shard"));
/// let file = MarkFile::open(&*directory);
/// file.write(3, 4096)?;
/// file.sync()?;
/// let mark = Mark::from(&mark::load(&Shard::look(directory, None)?));
/// assert_eq!(mark.synced_through(3), 4096);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MarkFile(Result<Option<Arc<dyn File>>, io::ErrorKind>);

impl MarkFile {
    /// Opens it, or creates it; the caller syncs the directory. One that cannot be had is the error of every write: whoever
    /// opens it can still read what it says, which would come to vouch for too little without ever being moved.
    #[must_use]
    pub fn open(directory: &dyn Directory) -> Self {
        let name = Sidecar::DurableMark.file_name();
        let opened = match directory.edit(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => directory.create(name),
            Err(error) if is_irregular(&error) => {
                let path = directory.path().join(name);
                tracing::warn!(path = %path.display(), "no regular file: the log goes on without a mark");
                return Self(Ok(None));
            }
            // A file that this process may not write, in a directory that it may.
            Err(_) => remove_left_over(directory, name).and_then(|()| directory.create(name)),
            opened => opened,
        };
        Self(opened.map(Some).map_err(|error| error.kind()))
    }

    /// Whether there is a mark: nothing is written when something else has its name.
    #[must_use]
    pub fn is_there(&self) -> bool {
        matches!(self.0, Ok(Some(_)))
    }

    /// Lets it say that `segment` is flushed up to `synced_bytes`, in one write.
    ///
    /// # Errors
    /// Whatever the disk reports, the open included.
    pub fn write(&self, segment: u64, synced_bytes: u64) -> io::Result<()> {
        let Some(file) = self.file()? else {
            return Ok(());
        };
        let mark = DurableMark {
            segment,
            synced_bytes,
        };
        disk::write_all_at(file, &encoded(&mark)?, 0)
    }

    /// Makes what it says durable.
    ///
    /// # Errors
    /// Whatever the disk reports, the open included.
    pub fn sync(&self) -> io::Result<()> {
        self.file()?.map_or(Ok(()), File::sync_data)
    }

    fn file(&self) -> io::Result<Option<&dyn File>> {
        match &self.0 {
            Ok(file) => Ok(file.as_deref()),
            Err(kind) => Err((*kind).into()),
        }
    }
}
