//! A data directory that is held while shards of it are repaired.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ondisk::felix::RunPhase;
use ondisk_engine::disk::{Directory, EntryKind, Lock};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::new_storage_id;
use ondisk_engine::felix::store::{Root, StartCategory};

use crate::args::Repair;
use crate::document;
use crate::failure::Failure;
use crate::output::words;

/// A data directory, locked.
pub(super) struct HeldRoot {
    directory: Arc<dyn Directory>,
    /// As it was found.
    pub(super) root: Root,
    /// The storage id that it got meanwhile.
    new_id: Cell<Option<[u8; 16]>>,
    _lock: Lock,
}

/// How long ago a file must have changed last where a broker may be running.
const SETTLED: Duration = Duration::from_secs(10);

impl HeldRoot {
    /// Locks the data directory, and refuses one that somebody seems to write or that must not be written.
    pub(super) fn take(directory: Arc<dyn Directory>, args: &Repair) -> Result<Self, Failure> {
        let lock = lock(&directory)?;
        let root = Root::look(Arc::clone(&directory))?;
        let path = words::path(&root.path());
        match root.category(false) {
            StartCategory::OpenOk => {}
            StartCategory::ReadOnly(file) => {
                return Err(Failure::damage(
                    format!(
                        "{} of {path} has the layout of another build, so nothing in this data directory is written",
                        words::path(file.as_ref())
                    ),
                    "use the build that wrote it",
                ));
            }
            refused => {
                return Err(Failure::damage(
                    format!(
                        "{path} does not start: {refused}; a shard of it is not repaired before that is settled"
                    ),
                    format!(
                        "`ondisk verify {path}` says what is wrong; restore that file from a backup"
                    ),
                ));
            }
        }
        let held = Self {
            directory,
            root,
            new_id: Cell::new(None),
            _lock: lock,
        };
        if !args.offline && held.is_running() {
            held.refuse_what_moves()?;
        }
        Ok(held)
    }

    /// Whether it has the storage id that it was found with.
    pub(super) fn keeps_its_id(&self) -> bool {
        self.new_id.get().is_none()
    }

    /// The storage id that it got.
    pub(super) fn new_id(&self) -> Option<String> {
        self.new_id.get().map(|id| document::hex(&id))
    }

    /// Gives it a new storage id, once.
    pub(super) fn renew_id(&self) -> Result<(), StorageError> {
        if self.keeps_its_id() {
            let id = new_storage_id(&*self.directory)?;
            self.new_id.set(Some(id));
        }
        Ok(())
    }

    fn is_running(&self) -> bool {
        let run = self.root.identity.run_state.sound();
        run.is_some_and(|run| run.state == RunPhase::Running)
    }

    /// A broker that takes no lock, an older build for one, still changes files.
    fn refuse_what_moves(&self) -> Result<(), Failure> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let recent = i128::try_from(now.saturating_sub(SETTLED).as_nanos()).unwrap_or(i128::MAX);
        for found in &self.root.shards {
            let shard = self.root.open_shard(found)?;
            let failed = |error: io::Error| Failure::system("list", shard.path(), &error);
            for entry in shard.entries().map_err(failed)? {
                let Some(name) = entry.name.to_str() else {
                    continue;
                };
                let changed = match shard.stat(name) {
                    Ok((EntryKind::File, stat)) => stat.modified_nanos,
                    _ => continue,
                };
                if changed > recent {
                    let file = words::path(&shard.path().join(name));
                    return Err(Failure::look(
                        format!(
                            "run-state says that a broker runs, and {file} changed within the last {} seconds",
                            SETTLED.as_secs()
                        ),
                        "stop the broker; if none runs, wait a moment, or say --offline",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Takes the lock of a directory.
pub(super) fn lock(directory: &Arc<dyn Directory>) -> Result<Lock, Failure> {
    let path = directory.path().to_owned();
    directory.lock().map_err(|source| {
        StorageError::Io {
            source,
            path,
            operation: "lock",
        }
        .into()
    })
}
