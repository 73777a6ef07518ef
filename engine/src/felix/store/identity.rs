//! The files that say which data directory this is (Felix 11.8, 11.9).

use std::io;

use ondisk::describe::Shape;
use ondisk::felix::name::IdentityFile;
use ondisk::felix::{NodeId, Registration, RunState, StorageId, StreamMarker};
use ondisk::{Error, Fault, Kind};

use crate::disk::Directory;
use crate::felix::error::{SidecarDamage, StorageError};
use crate::felix::sidecar::Loaded;
use crate::felix::sidecar::{Look, read_file, small};

/// A file at the root, or a marker, as it was found.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::felix::store::{FileState, Root};
///
/// let directory = MemoryDirectory::new("data");
/// directory.put("storage-id", MemoryFile::of(b"written by another program"));
/// directory.put("node-id", MemoryFile::of(b"node-1\n"));
/// let identity = Root::look(Arc::new(directory))?.identity;
/// assert_eq!(identity.run_state, FileState::Absent);
/// assert_eq!(identity.node_id.sound().map(|file| &*file.id), Some("node-1"));
/// assert_eq!(identity.storage_id.name(), "unknown layout");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState<T> {
    /// There is none.
    Absent,
    /// It decodes.
    Sound(T),
    /// It has the shape of ours and does not decode.
    Damaged(SidecarDamage),
    /// It has another shape. Byte layouts of these files are our own, so a real Felix root may have others: such a file is
    /// no damage, and is never rewritten.
    UnknownLayout(SidecarDamage),
    /// It is no regular file, and was not opened.
    Unreadable,
}

impl<T> FileState<T> {
    /// The value, if it decodes.
    pub fn sound(&self) -> Option<&T> {
        match self {
            Self::Sound(value) => Some(value),
            _ => None,
        }
    }

    /// As reports spell it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Sound(_) => "sound",
            Self::Damaged(_) => "damaged",
            Self::UnknownLayout(_) => "unknown layout",
            Self::Unreadable => "unreadable",
        }
    }

    /// What is wrong with it, where it can be said.
    pub const fn damage(&self) -> Option<SidecarDamage> {
        match self {
            Self::Damaged(damage) | Self::UnknownLayout(damage) => Some(*damage),
            _ => None,
        }
    }
}

/// The files of identity of a data directory.
///
/// ```
/// use ondisk::felix::RunPhase;
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::store::{Root, Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, StoreConfig::default())?;
/// let identity = Root::look(RealDirectory::open(path)?)?.identity;
/// assert_eq!(identity.storage_id.sound().map(|file| file.id), store.storage_id());
/// assert_eq!(identity.run_state.sound().map(|file| file.state), Some(RunPhase::Running));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `storage-id`.
    pub storage_id: FileState<StorageId>,
    /// `run-state`.
    pub run_state: FileState<RunState>,
    /// `registration`.
    pub registration: FileState<Registration>,
    /// `node-id`.
    pub node_id: FileState<NodeId>,
}

impl Identity {
    /// Reads them all.
    pub(super) fn read(root: &dyn Directory) -> Result<Self, StorageError> {
        // Each is a whole file of one size, or a short text.
        let shape = |fault| {
            matches!(
                fault,
                Fault::Short { .. } | Fault::Length { .. } | Fault::Magic { .. }
            )
        };
        Ok(Self {
            storage_id: read(root, IdentityFile::StorageId, shape, |bytes| {
                StorageId::view(bytes).map(|view| view.to_value())
            })?,
            // Its bytes are the seed's: there is no other shape, however long it is.
            run_state: match read(
                root,
                IdentityFile::RunState,
                |_| false,
                |bytes| RunState::view(bytes).map(|view| view.to_value()),
            )? {
                FileState::UnknownLayout(damage) => FileState::Damaged(damage),
                state => state,
            },
            registration: read(root, IdentityFile::Registration, shape, |bytes| {
                Registration::view(bytes).map(|view| view.to_value())
            })?,
            node_id: read(
                root,
                IdentityFile::NodeId,
                |_| true,
                |bytes| NodeId::view(bytes).map(|view| view.to_value()),
            )?,
        })
    }
}

fn read<T>(
    root: &dyn Directory,
    file: IdentityFile,
    is_shape: impl Fn(Fault) -> bool,
    decode: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<FileState<T>, StorageError> {
    read_named(
        root,
        file.file_name(),
        small(LONGEST),
        |error, _| is_shape(error.fault()),
        decode,
    )
}

/// Reads a stream marker. Another length or first line is another shape; another number in that line is a version.
pub(super) fn read_marker(
    markers: &dyn Directory,
    name: &str,
) -> Result<FileState<StreamMarker>, StorageError> {
    let look = Look::Whole {
        most: LONGEST,
        limit: LONGEST,
    };
    let is_shape = |_: &Error, bytes: &[u8]| !begins_like(StreamMarker::KIND, bytes);
    read_named(markers, name, look, is_shape, |bytes| {
        StreamMarker::view(bytes).map(|view| view.to_value())
    })
}

/// Bytes of the longest text file, `node-id` and markers (Felix 11.1).
const LONGEST: u64 = 256;

/// Whether the first word is that of this kind of text.
fn begins_like(kind: &Kind, bytes: &[u8]) -> bool {
    let Shape::Text {
        lines: [first, ..], ..
    } = kind.shape
    else {
        return false;
    };
    first.split(' ').next().is_some_and(|word| {
        bytes
            .strip_prefix(word.as_bytes())
            .is_some_and(|rest| rest.starts_with(b" "))
    })
}

fn read_named<T>(
    directory: &dyn Directory,
    name: &str,
    look: Look,
    is_shape: impl Fn(&Error, &[u8]) -> bool,
    decode: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<FileState<T>, StorageError> {
    let read: io::Result<Loaded<Vec<u8>>> = read_file(directory.file(name), look);
    let path = directory.path().join(name);
    Ok(match read.map_err(StorageError::io(path, "read"))? {
        Loaded::Absent => FileState::Absent,
        Loaded::Irregular | Loaded::Unreadable(_) => FileState::Unreadable,
        // Far too long.
        Loaded::Damaged(damage) => FileState::UnknownLayout(damage),
        Loaded::Sound(bytes) => match decode(&bytes) {
            Ok(value) => FileState::Sound(value),
            Err(error) if is_shape(&error, &bytes) => {
                FileState::UnknownLayout(SidecarDamage::of(error))
            }
            Err(error) => FileState::Damaged(SidecarDamage::of(error)),
        },
    })
}
