//! Writing a small file so that a crash leaves the old one or the new one, whole (Felix 1.5).

use std::io;
use std::sync::Arc;

use ondisk::encode::Encode;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{Index, IndexEntry};
use ondisk::{FeatureLevels, WriteVersion};

use crate::disk::{self, Directory, File, Replace, is_irregular};
use crate::planted::{self, Planted};

/// Whether a file that was replaced is on the device when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file is synced before it takes its name, the directory after: REPLACE-SYNC.
    Synced,
    /// Neither: REPLACE. For what can be made again.
    Unsynced,
}

/// Gives `name` the contents `bytes` by way of `temporary`.
///
/// A left-over temporary is unlinked first and a new one created exclusively, so that nothing planted under its name is
/// written through; the new file takes owner, group and mode of the one that it replaces.
///
/// ```
/// use ondisk_engine::disk::Directory;
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::sidecar::store::{Durability, replace};
///
/// let directory = MemoryDirectory::new("anywhere");
/// for text in ["one", "another"] {
///     let bytes = text.as_bytes();
///     replace(&directory, "settings", "settings.tmp", bytes, Durability::Synced)?;
/// }
/// assert_eq!(directory.file("settings")?.stat()?.len, 7);
/// assert!(directory.stat("settings.tmp").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Whatever the disk reports. What `name` names then is the old file or the new one.
pub fn replace(
    directory: &dyn Directory,
    name: &str,
    temporary: &str,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    remove_left_over(directory, temporary)?;
    let file = directory.create(temporary)?;
    let renamed = (|| {
        match directory.file(name) {
            Ok(replaced) => file.take_owner_of(&*replaced)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_irregular(&error) => {}
            Err(error) => return Err(error),
        }
        disk::write_all_at(&*file, bytes, 0)?;
        if durability == Durability::Synced && !planted::is(Planted::RenameWithoutSync) {
            file.sync_all()?;
        }
        directory.rename(temporary, directory, name, Replace::Yes)
    })();
    if renamed.is_err() {
        // It takes room, of which there may be none.
        let _left_over = directory.unlink(temporary);
    }
    renamed?;
    match durability {
        Durability::Synced => directory.sync(),
        Durability::Unsynced => Ok(()),
    }
}

/// Puts the first `bytes` of a segment in its place, durably, as a new file: whoever has the old one mapped keeps it
/// (Felix 14.1).
///
/// # Errors
/// Whatever the disk reports. The segment is whole then, or cut.
pub fn replace_by_prefix(
    directory: &dyn Directory,
    segment: &dyn File,
    id: u64,
    bytes: u64,
) -> io::Result<Arc<dyn File>> {
    let temporary = SegmentFile::Temporary { id }.to_string();
    remove_left_over(directory, &temporary)?;
    let file = directory.create(&temporary)?;
    let name = SegmentFile::Log { id }.to_string();
    let replaced = file
        .take_owner_of(segment)
        .and_then(|()| disk::copy(segment, 0..bytes, &*file))
        .and_then(|()| file.sync_all())
        .and_then(|()| directory.rename(&temporary, directory, &name, Replace::Yes));
    if let Err(error) = replaced {
        let _left = directory.unlink(&temporary);
        return Err(error);
    }
    directory.sync()?;
    Ok(file)
}

/// Unlinks what an interrupted write left under a temporary name.
///
/// # Errors
/// Whatever the disk reports, but for a name that is free.
pub fn remove_left_over(directory: &dyn Directory, temporary: &str) -> io::Result<()> {
    match directory.unlink(temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Replaces a sidecar by `value`.
pub(super) fn sidecar<K: Encode>(
    directory: &dyn Directory,
    sidecar: Sidecar,
    value: &K,
    durability: Durability,
) -> io::Result<()> {
    let bytes = encoded(value)?;
    let temporary = sidecar
        .temporary_name()
        .ok_or(io::ErrorKind::InvalidInput)?;
    replace(
        directory,
        sidecar.file_name(),
        temporary,
        &bytes,
        durability,
    )
}

/// The bytes of a value in the version that is written; no sidecar has a gate.
pub(crate) fn encoded<K: Encode>(value: &K) -> io::Result<Vec<u8>> {
    let version = WriteVersion::<K>::default_under(&FeatureLevels::NONE);
    let mut bytes = Vec::new();
    value
        .encode_at(version.get(), &mut bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    Ok(bytes)
}

/// Writes the index of a segment anew, whole, and syncs it (Felix 5); it takes owner, group and mode of the segment. What
/// is in the way of it is unlinked; a directory under its name stays, and is the error.
///
/// # Errors
/// Whatever the disk reports. No file has the name then, or one that ends early, which is an index as well.
pub fn index(
    directory: &dyn Directory,
    id: u64,
    base_offset: u64,
    entries: &[IndexEntry],
) -> io::Result<()> {
    let name = SegmentFile::Index { id }.to_string();
    remove_left_over(directory, &name)?;
    let index = Index {
        base_offset,
        entries: entries.to_vec(),
    };
    let bytes = encoded(&index)?;
    let file = directory.create(&name)?;
    if let Ok(segment) = directory.file(&SegmentFile::Log { id }.to_string()) {
        file.take_owner_of(&*segment)?;
    }
    disk::write_all_at(&*file, &bytes, 0)?;
    file.sync_all()
}
