//! Opening what was listed.

use std::io;
use std::sync::Arc;

use ondisk::felix::DurableMark;
use ondisk::felix::name::{SegmentFile, Sidecar};

use super::Shard;
use super::moved::moved;
use crate::disk::{self, Directory, File};
use crate::felix::error::StorageError;
use crate::felix::segment::{Access, Source};

impl Shard {
    /// Opens a segment at the length that it was listed with.
    ///
    /// # Errors
    /// [`StorageError::Io`] when it cannot be opened; one for which [`super::is_moved`] holds when it is another file by
    /// now, or shorter.
    pub fn open<'a>(
        &self,
        file: SegmentFile,
        access: Access<'a>,
    ) -> Result<Source<'a>, StorageError> {
        let name = file.to_string();
        let path = self.path().join(&name);
        let seen = self.files.get(&file).and_then(|presence| presence.stat);
        let opened = self.open_name(&name).and_then(|opened| match seen {
            Some(seen) => {
                let now = opened.stat()?;
                let same = now.inode == seen.inode && now.len >= seen.len;
                if same {
                    Source::new(opened, seen.len, access)
                } else {
                    Err(moved())
                }
            }
            None => Err(io::ErrorKind::NotFound.into()),
        });
        opened.map_err(StorageError::io(path, "open"))
    }

    /// Opens the index of a segment, at the length that it has now; none when it is not there or cannot be read.
    pub(crate) fn open_index(&self, id: u64) -> Option<(Arc<dyn File>, u64)> {
        let file = SegmentFile::Index { id };
        if !self.is_regular(file) {
            return None;
        }
        let opened = self.open_name(&file.to_string()).ok()?;
        let len = opened.stat().ok()?.len;
        Some((opened, len))
    }

    /// The first bytes of the durable mark, as they were before the segments were listed.
    ///
    /// # Errors
    /// Of kind `NotFound`, [`is_irregular`](crate::disk::is_irregular), or what the system says.
    pub(crate) fn mark(&self) -> Result<&[u8], &io::Error> {
        self.mark.as_deref()
    }

    /// Opens a sidecar.
    ///
    /// # Errors
    /// Of kind `NotFound` when it was not listed, [`is_irregular`](crate::disk::is_irregular) when it is no regular file, or what the system says.
    pub(crate) fn open_sidecar(&self, sidecar: Sidecar) -> io::Result<Arc<dyn File>> {
        match self.sidecars.get(&sidecar) {
            Some(_) => self.open_name(sidecar.file_name()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn open_name(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let directory = self.directory.as_ref().ok_or(io::ErrorKind::NotFound)?;
        directory.file(name)
    }
}

/// The first bytes of the durable mark.
pub(crate) fn read_mark(directory: &dyn Directory) -> io::Result<Vec<u8>> {
    let file = directory.file(Sidecar::DurableMark.file_name())?;
    let len = usize::try_from(file.stat()?.len).unwrap_or(usize::MAX);
    let mut bytes = vec![0; DurableMark::MIN.min(len)];
    disk::read_exact_at(&*file, &mut bytes, 0)?;
    Ok(bytes)
}
