//! Stream markers: which incarnation is held (Felix 11.10).

use std::fmt::Display;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::MarkerName;

use super::directories::Directories;
use super::family::Family;
use super::identity::{FileState, read_marker};
use crate::disk::{EntryKind, Irregular};
use crate::felix::error::StorageError;
use crate::felix::sidecar::store::{Durability, encoded, replace};

/// What an absent marker says.
pub(super) const NOTHING: StreamMarker = StreamMarker {
    incarnation: None,
    deleting: false,
    deleted_through: None,
};

/// What errors call the file.
const FILE: &str = "stream marker";

/// Reads a marker. `label` names the stream in errors.
pub(super) fn load(
    directories: &Directories,
    family: Family,
    name: &str,
    label: &dyn Display,
) -> Result<StreamMarker, StorageError> {
    let Some(markers) = directories.find(family.markers())? else {
        return Ok(NOTHING);
    };
    match read_marker(&*markers, name)? {
        FileState::Absent => Ok(NOTHING),
        FileState::Sound(marker) => Ok(marker),
        FileState::Damaged(damage) | FileState::UnknownLayout(damage) => {
            Err(StorageError::Sidecar {
                file: FILE,
                shard: label.to_string(),
                damage,
            })
        }
        FileState::Unreadable => {
            let wanted = EntryKind::File;
            let path = markers.path().join(name);
            Err(StorageError::io(path, "open")(Irregular { wanted }.into()))
        }
    }
}

/// Writes a marker, durably.
pub(super) fn save(
    directories: &Directories,
    family: Family,
    name: MarkerName<'_>,
    marker: &StreamMarker,
) -> Result<(), StorageError> {
    let markers = directories.make(family.markers())?;
    let temporary = name.temporary();
    encoded(marker)
        .and_then(|bytes| {
            replace(
                &*markers,
                name.as_str(),
                &temporary,
                &bytes,
                Durability::Synced,
            )
        })
        .map_err(StorageError::io(
            markers.path().join(name.as_str()),
            "write",
        ))
}
