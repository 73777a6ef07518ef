//! Walking the top of a data directory (Felix 2.1, 2.3).

use std::ffi::OsStr;
use std::sync::Arc;

use ondisk::felix::name::{BinName, MarkerEntry, Store, StoreEntry};

use super::identity::read_marker;
use super::root::{Bin, FoundShard, Marker, Root};
use crate::disk::{Directory, Entry, EntryKind};
use crate::felix::error::StorageError;
use crate::felix::opening::LogKind;
use crate::felix::shard::{Foreign, Strangeness};

impl Root {
    /// Lists one store, and the stores, markers and bins in it.
    pub(super) fn list(
        &mut self,
        directory: &Arc<dyn Directory>,
        store: Store,
    ) -> Result<(), StorageError> {
        for Entry { name, kind } in entries(&**directory)? {
            let classified = name
                .to_str()
                .map_or(StoreEntry::Foreign, |name| StoreEntry::of(store, name));
            let wanted = match classified {
                StoreEntry::Identity(_) | StoreEntry::Temporary(_) => EntryKind::File,
                StoreEntry::Foreign => {
                    self.strange(store, &name, Strangeness::Stray);
                    continue;
                }
                _ => EntryKind::Directory,
            };
            if kind != wanted {
                self.strange(store, &name, Strangeness::Irregular);
                continue;
            }
            match classified {
                StoreEntry::Shard(shard) => self.shards.push(FoundShard {
                    path: below(store, shard.as_str()),
                    store,
                    name: shard.as_str().to_owned(),
                    kind: log_kind(store),
                }),
                StoreEntry::Store(inner) => self.list(&enter(directory, inner.name())?, inner)?,
                StoreEntry::Markers => self.list_markers(directory, store)?,
                StoreEntry::Bin => self.list_bin(directory, store)?,
                StoreEntry::Compacting(_) | StoreEntry::Retired(_) => {
                    self.leftovers.push(below(store, &name.to_string_lossy()));
                }
                StoreEntry::Identity(_) | StoreEntry::Temporary(_) | StoreEntry::Foreign => {}
            }
        }
        Ok(())
    }

    fn list_markers(
        &mut self,
        directory: &Arc<dyn Directory>,
        store: Store,
    ) -> Result<(), StorageError> {
        let path = store.markers();
        let markers = enter(directory, last_component(path))?;
        for Entry { name, kind } in entries(&*markers)? {
            let here = format!("{path}/{}", name.to_string_lossy());
            match name.to_str().map_or(MarkerEntry::Foreign, MarkerEntry::of) {
                MarkerEntry::Marker(marker) => {
                    if kind != EntryKind::File {
                        self.foreign.push(Foreign {
                            name: here.clone().into(),
                            why: Strangeness::Irregular,
                        });
                    }
                    let state = read_marker(&*markers, marker.as_str())?;
                    self.markers.push(Marker {
                        path: here,
                        name: marker.as_str().to_owned(),
                        state,
                    });
                }
                MarkerEntry::Temporary(_) if kind == EntryKind::File => {}
                MarkerEntry::Temporary(_) => {
                    self.foreign.push(Foreign {
                        name: here.into(),
                        why: Strangeness::Irregular,
                    });
                }
                MarkerEntry::Foreign => self.foreign.push(Foreign {
                    name: here.into(),
                    why: Strangeness::Stray,
                }),
            }
        }
        Ok(())
    }

    fn list_bin(
        &mut self,
        directory: &Arc<dyn Directory>,
        store: Store,
    ) -> Result<(), StorageError> {
        let path = store.bin();
        let bin = enter(directory, last_component(path))?;
        let mut names = Vec::new();
        for Entry { name, kind } in entries(&*bin)? {
            let known = name.to_str().filter(|name| BinName::parse(name).is_some());
            match (known, kind) {
                (Some(name), EntryKind::Directory) => names.push(name.to_owned()),
                (known, _) => {
                    let why = if known.is_some() {
                        Strangeness::Irregular
                    } else {
                        Strangeness::Stray
                    };
                    let name = format!("{path}/{}", name.to_string_lossy()).into();
                    self.foreign.push(Foreign { name, why });
                }
            }
        }
        self.bins.push(Bin {
            path: path.to_owned(),
            names,
        });
        Ok(())
    }

    fn strange(&mut self, store: Store, name: &OsStr, why: Strangeness) {
        let name = match store.directory() {
            Some(directory) => [OsStr::new(directory), OsStr::new("/"), name]
                .into_iter()
                .collect(),
            None => name.to_owned(),
        };
        self.foreign.push(Foreign { name, why });
    }
}

/// What the records of the shards of a store are. Groups and dead letters have cache-format records whose keys are the
/// broker's business, so to the engine they are opaque.
pub(super) fn log_kind(store: Store) -> LogKind {
    match store {
        Store::Streams | Store::Groups | Store::DeadLetters => LogKind::Stream,
        Store::Caches => LogKind::Cache,
        Store::Counters => LogKind::Counter,
    }
}

fn below(store: Store, name: &str) -> String {
    match store.directory() {
        Some(directory) => format!("{directory}/{name}"),
        None => name.to_owned(),
    }
}

fn last_component(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

/// Opens a directory below another one.
pub(super) fn enter(
    directory: &Arc<dyn Directory>,
    name: &str,
) -> Result<Arc<dyn Directory>, StorageError> {
    directory
        .directory(name)
        .map_err(StorageError::io(directory.path().join(name), "open"))
}

/// The entries of a directory, sorted.
pub(super) fn entries(directory: &dyn Directory) -> Result<Vec<Entry>, StorageError> {
    let mut entries = directory
        .entries()
        .map_err(StorageError::io(directory.path(), "list"))?;
    entries.sort();
    Ok(entries)
}
