//! Taking over files of unknown layout (Felix 11.8).

use std::io;

use ondisk::felix::name::IdentityFile;

use super::config::StoreConfig;
use super::directories::{Directories, sync};
use super::identity::FileState;
use super::root::Root;
use super::started::Adopted;
use crate::disk::{Directory, Replace};
use crate::felix::error::StorageError;

/// Sets aside what is of unknown layout, durably, so that all of it counts as absent. Its bytes are another build's, and
/// stay under another name for whoever can read them.
pub(super) fn adopt(
    directories: &Directories,
    found: &Root,
    config: &StoreConfig,
) -> Result<Vec<Adopted>, StorageError> {
    let identity = &found.identity;
    let files = [
        (IdentityFile::StorageId, is_unknown(&identity.storage_id)),
        (
            IdentityFile::Registration,
            is_unknown(&identity.registration),
        ),
        (
            IdentityFile::NodeId,
            config.node_id_is_read && is_unknown(&identity.node_id),
        ),
    ];
    let files = files.into_iter().filter(|(_, unknown)| *unknown);
    let files = files.map(|(file, _)| file.file_name());
    let markers = found.markers.iter();
    let markers = markers.filter(|marker| is_unknown(&marker.state));
    let mut adopted = Vec::new();
    for path in files.chain(markers.map(|marker| marker.path.as_str())) {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(directory) = directories.find(parent)? else {
            continue;
        };
        let kept_as = set_aside(&*directory, name)?;
        sync(&*directory)?;
        adopted.push(Adopted {
            file: path.to_owned(),
            kept_as: format!("{}{kept_as}", path.strip_suffix(name).unwrap_or_default()),
        });
    }
    Ok(adopted)
}

/// Gives a file the first name that is free: one that is none of ours, so that nothing ever reads or removes it.
fn set_aside(directory: &dyn Directory, name: &str) -> Result<String, StorageError> {
    let mut number = 0_u64;
    loop {
        let to = format!("{name}.adopted-{number}");
        match directory.rename(name, directory, &to, Replace::No) {
            Ok(()) => return Ok(to),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => {
                return Err(StorageError::io(directory.path().join(name), "set aside")(
                    error,
                ));
            }
        }
    }
}

fn is_unknown<T>(state: &FileState<T>) -> bool {
    matches!(state, FileState::UnknownLayout(_))
}
