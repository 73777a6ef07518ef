//! The data directory that a shard lies in.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::{IdentityFile, ShardDirectory, Store};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;

use crate::failure::Failure;

/// The data directory that the shard at `path` lies in; none when no file of identity is where one would have them, or
/// the shard has no name that one could find it by.
pub(crate) fn enclosing(path: &Path) -> Result<Option<Arc<dyn Directory>>, Failure> {
    let path = fs::canonicalize(path).map_err(|error| Failure::system("look at", path, &error))?;
    let name = path.file_name().and_then(|name| name.to_str());
    if name.and_then(ShardDirectory::parse).is_none() {
        return Ok(None);
    }
    let Some(parent) = path.parent() else {
        return Ok(None);
    };
    let store = parent
        .file_name()
        .and_then(|name| Store::parse(name.to_str()?)?.directory());
    let root = match (store, parent.parent()) {
        (Some(_), Some(above)) if is_root(above) => above,
        _ if is_root(parent) => parent,
        _ => return Ok(None),
    };
    let root = RealDirectory::open(root).map_err(|error| Failure::system("open", root, &error))?;
    Ok(Some(root))
}

/// Whether a file of identity lies there.
fn is_root(path: &Path) -> bool {
    IdentityFile::ALL
        .iter()
        .any(|file| fs::symlink_metadata(path.join(file.file_name())).is_ok())
}
