//! What all handles of one store share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use ondisk::felix::RunPhase;
use ondisk::felix::name::IdentityFile;

use super::begin::begin;
use super::config::StoreConfig;
use super::directories::Directories;
use super::identity::{FileState, Identity};
use super::keep;
use super::remover::Remover;
use super::started::Started;
use super::streams::{End, Streams, end};
use crate::disk::{Directory, EntryKind, Irregular, Lock};
use crate::felix::error::StorageError;
use crate::felix::log::{Config, Environment};

/// An open data directory. Locks are taken in this order: `running`, a stream, a slot of it; `identity` with none but
/// the first.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) directories: Arc<Directories>,
    /// What shards are opened with.
    pub(super) config: Config,
    pub(super) environment: Environment,
    pub(super) started: Started,
    /// Held for reading by whatever writes, so that the end waits for it.
    running: RwLock<bool>,
    /// The storage id now; held while a file of identity is written.
    identity: Mutex<Option<[u8; 16]>>,
    /// A write of the node id failed: what the disk shows need not be on the device.
    node_id_is_in_doubt: AtomicBool,
    pub(super) streams: Streams,
    /// A log ended in this run with something unflushed.
    unclean: AtomicBool,
    pub(super) remover: Remover,
    /// Released when all else is gone.
    lock: Mutex<Option<Lock>>,
}

impl Shared {
    pub(super) fn open(
        root: Arc<dyn Directory>,
        config: StoreConfig,
    ) -> Result<Self, StorageError> {
        config.log.validate()?;
        let lock = root.lock().map_err(StorageError::io(root.path(), "lock"))?;
        let directories = Arc::new(Directories::new(root));
        let started = begin(&directories, &config)?;
        started.tell(&*directories.root);
        let remover = Remover::new(&config.environment.background, Arc::clone(&directories));
        if started.read_only.is_none() && started.in_bins > 0 {
            remover.wake();
        }
        Ok(Self {
            directories,
            config: config.log,
            environment: config.environment,
            running: RwLock::new(true),
            identity: Mutex::new(started.storage_id),
            node_id_is_in_doubt: AtomicBool::new(false),
            started,
            streams: Streams::default(),
            unclean: AtomicBool::new(false),
            remover,
            lock: Mutex::new(Some(lock)),
        })
    }

    /// Lets the caller read until it drops the guard.
    pub(super) fn running(&self) -> Result<RwLockReadGuard<'_, bool>, StorageError> {
        let running = self.running.read().unwrap_or_else(PoisonError::into_inner);
        if *running {
            Ok(running)
        } else {
            Err(self.closed())
        }
    }

    /// Lets the caller write until it drops the guard.
    pub(super) fn writable(&self) -> Result<RwLockReadGuard<'_, bool>, StorageError> {
        let running = self.running()?;
        self.may_write()?;
        Ok(running)
    }

    fn may_write(&self) -> Result<(), StorageError> {
        if self.started.read_only.is_none() {
            return Ok(());
        }
        let what = "a write to a data directory that is read-only for its unknown layout";
        Err(StorageError::Unsupported { what })
    }

    pub(super) fn storage_id(&self) -> Option<[u8; 16]> {
        *self.identity()
    }

    /// Gives the directory another id, and lets the run be one of that id.
    pub(super) fn new_storage_id(&self) -> Result<[u8; 16], StorageError> {
        let _running = self.writable()?;
        let mut identity = self.identity();
        let root = self.root();
        let id = keep::new_storage_id(root)?;
        *identity = Some(id);
        self.write_run_state(RunPhase::Running, id)?;
        tracing::warn!(path = %root.path().display(), "new storage id: asked for");
        Ok(id)
    }

    pub(super) fn register(&self, incarnation: u64) -> Result<(), StorageError> {
        let _running = self.writable()?;
        let _identity = self.identity();
        keep::registration(self.root(), incarnation)
    }

    pub(super) fn node_id(&self) -> Result<String, StorageError> {
        let _running = self.running()?;
        let _identity = self.identity();
        let root = self.root();
        let path = || root.path().join(IdentityFile::NodeId.file_name());
        match Identity::read(root)?.node_id {
            FileState::Sound(node_id) => {
                // The caller names what it offloads by it: nobody is told one that a crash takes back.
                if self.node_id_is_in_doubt.load(Ordering::Relaxed) {
                    keep::node_id(root, &node_id.id)?;
                    self.node_id_is_in_doubt.store(false, Ordering::Relaxed);
                }
                Ok(node_id.id)
            }
            FileState::Absent => {
                self.may_write()?;
                self.node_id_is_in_doubt.store(true, Ordering::Relaxed);
                let id = keep::new_node_id(root)?;
                self.node_id_is_in_doubt.store(false, Ordering::Relaxed);
                Ok(id)
            }
            FileState::Damaged(damage) | FileState::UnknownLayout(damage) => {
                Err(StorageError::Sidecar {
                    file: IdentityFile::NodeId.file_name(),
                    shard: root.path().display().to_string(),
                    damage,
                })
            }
            FileState::Unreadable => {
                let wanted = EntryKind::File;
                Err(StorageError::io(path(), "open")(
                    Irregular { wanted }.into(),
                ))
            }
        }
    }

    /// Takes note of a log that ended in this run.
    pub(super) fn note(&self, end: End) -> Result<(), StorageError> {
        match end {
            End::Clean => Ok(()),
            End::Unclean(error) => {
                self.unclean.store(true, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    /// Ends all logs, and says so if every one ended cleanly.
    pub(super) fn shutdown(&self) -> Result<(), StorageError> {
        let mut running = self.running.write().unwrap_or_else(PoisonError::into_inner);
        if !*running {
            return Err(self.closed());
        }
        *running = false;
        self.remover.stop();
        let mut ended = Ok(());
        for log in self.streams.logs() {
            if let Err(error) = self.note(end(&log)) {
                tracing::error!(?log, %error, "not closed cleanly");
                ended = ended.and(Err(error));
            }
        }
        if self.unclean.load(Ordering::Relaxed) {
            // It may have gone on since, but what was lost before that is not known.
            ended = ended.and(Err(StorageError::SyncFailed));
        }
        if self.started.read_only.is_none()
            && let (Ok(()), Some(id)) = (&ended, self.storage_id())
        {
            ended = self.write_run_state(RunPhase::Stopped, id);
        }
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
        ended
    }

    pub(super) fn root(&self) -> &dyn Directory {
        &*self.directories.root
    }

    fn write_run_state(&self, phase: RunPhase, id: [u8; 16]) -> Result<(), StorageError> {
        let early = self.config.fsync.acknowledges_early();
        keep::run_state(self.root(), phase, early, id)
    }

    fn identity(&self) -> MutexGuard<'_, Option<[u8; 16]>> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn closed(&self) -> StorageError {
        StorageError::Closed {
            shard: self.root().path().display().to_string(),
        }
    }
}
