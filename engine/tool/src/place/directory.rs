//! What a directory is, and what its records are.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::{ShardDirectory, ShardEntry, Store, StoreEntry};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::keys;

use crate::args::{self, DirectoryKind};
use crate::failure::Failure;
use crate::output::words;

/// Tells a shard from a whole data directory, by the names in it, else by its own.
pub(crate) fn directory_kind(directory: &Arc<dyn Directory>) -> Result<DirectoryKind, Failure> {
    let path = directory.path();
    let entries = directory
        .entries()
        .map_err(|error| Failure::system("list", path, &error))?;
    let (mut stray, mut root) = (false, false);
    for entry in &entries {
        let Some(name) = entry.name.to_str() else {
            continue;
        };
        match ShardEntry::of(name) {
            ShardEntry::Segment(_) | ShardEntry::Sidecar(_) | ShardEntry::Temporary(_) => {
                return Ok(DirectoryKind::Shard);
            }
            ShardEntry::Stray => stray = true,
            ShardEntry::Unknown => {
                root |= StoreEntry::of(Store::Streams, name) != StoreEntry::Foreign
            }
        }
    }
    let named = own_name(path).is_some_and(|name| ShardDirectory::parse(&name).is_some());
    if root {
        Ok(DirectoryKind::Root)
    } else if stray || named {
        Ok(DirectoryKind::Shard)
    } else {
        let what = match entries.len() {
            0 => "is empty".to_owned(),
            count => format!(
                "has {} and none of ours",
                words::count(count as u64, "name", "names")
            ),
        };
        Err(Failure::look(
            format!(
                "{} {what}: neither a shard nor a data directory",
                words::path(path)
            ),
            "check the path, and that what should be mounted there is; --as shard or --as root looks at it all the same",
        ))
    }
}

/// What the records of a shard are: what the caller says, else what the folder is that it lies in, else what its key
/// index says, which only caches have.
pub(crate) fn log_kind(said: Option<args::LogKind>, shard: &Shard) -> LogKind {
    match said {
        Some(args::LogKind::Stream) => return LogKind::Stream,
        Some(args::LogKind::Cache) => return LogKind::Cache,
        Some(args::LogKind::Counter) => return LogKind::Counter,
        None => {}
    }
    let parent = fs::canonicalize(shard.path()).ok().and_then(|path| {
        let parent = path.parent()?.file_name()?.to_str()?;
        Store::parse(parent)
    });
    match parent {
        Some(Store::Caches) => LogKind::Cache,
        Some(Store::Counters) => LogKind::Counter,
        _ if keys::load(shard).sound().is_some() => LogKind::Cache,
        _ => LogKind::Stream,
    }
}

/// The name of a directory, wherever it was reached from.
pub(crate) fn own_name(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    Some(path.file_name()?.to_str()?.to_owned())
}
