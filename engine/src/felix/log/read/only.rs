//! Looking at a log that somebody else may be writing.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ondisk::felix::EpochEntry;

use super::watch::{Seen, Watch};
use super::{Bound, Follow, KeptRecord, Opener, Records, Signal, View};
use crate::disk::Directory;
use crate::disk::real::RealDirectory;
use crate::felix::error::StorageError;
use crate::felix::log::config::{Config, ReadMode};
use crate::felix::log::environment::Environment;
use crate::felix::log::published::Published;
use crate::felix::log::recovered::Recovered;
use crate::felix::sidecar::accepted::Accepted;

/// A log that is only read: nothing is locked, written or created, so that it works on media that cannot be written, and
/// beside a writer in another process.
///
/// What is read is the log as a recovery would leave it. What a writer appends, rolls, trims or cuts is seen when it is
/// looked for: by [`refresh`](Self::refresh), and every 20 milliseconds by a [`Follow`] that waits. A record at the end
/// that is not whole yet is simply not there yet. Files are read by `pread`, since another process may shorten them.
///
/// Bytes at the end that do not decode are on their way, until two looks found the same ones and recovery would refuse to
/// cut them off (Felix 7.3): once the durable mark vouches for them, or where there is no mark. Then they are damage.
#[derive(Clone, Debug)]
pub struct ReadOnlyLog {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    label: String,
    published: Arc<Published>,
    opener: Opener,
    signal: Signal,
    state: Mutex<State>,
    recovered: Recovered,
    max_records_per_read: usize,
}

#[derive(Debug)]
struct State {
    watch: Watch,
    epochs: Vec<EpochEntry>,
    accepted: Accepted,
}

/// How soon a log that nobody tells of is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

impl ReadOnlyLog {
    /// Opens the log in the directory at `path`. Of `config` only what concerns reading and recovery is used.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when it holds no log; [`StorageError::Corruption`] and [`StorageError::Sidecar`] where
    /// an open for writing would be refused; [`StorageError::Io`].
    pub fn open(path: impl AsRef<Path>, config: &Config) -> Result<Self, StorageError> {
        let path = path.as_ref();
        let directory = RealDirectory::open(path).map_err(StorageError::io(path, "open"))?;
        Self::open_in(directory, config, &Environment::default())
    }

    /// The same in a directory that is open already.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_in(
        directory: Arc<dyn Directory>,
        config: &Config,
        environment: &Environment,
    ) -> Result<Self, StorageError> {
        config.validate()?;
        let opener = Opener::new(
            Arc::clone(&directory),
            ReadMode::Pread,
            config.segment_size_bytes,
            config.max_open_sealed_segments,
            environment.budget.clone(),
        );
        let (watch, seen) = Watch::begin(directory, config.clone())?;
        let state = State {
            watch,
            epochs: seen.epochs,
            accepted: seen.accepted,
        };
        Ok(Self {
            shared: Arc::new(Shared {
                label: seen.label,
                published: Arc::new(Published::new(seen.segments, seen.base, seen.tail)),
                opener,
                signal: Signal::default(),
                state: Mutex::new(state),
                recovered: seen.recovered,
                max_records_per_read: config.max_records_per_read,
            }),
        })
    }

    /// What a recovery would do. Nothing of it is done.
    #[must_use]
    pub fn recovered(&self) -> &Recovered {
        &self.shared.recovered
    }

    /// The oldest offset that can be read, as of the last look.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.shared.published.base()
    }

    /// One past the newest offset, as of the last look.
    #[must_use]
    pub fn tail(&self) -> u64 {
        self.shared.published.tail()
    }

    /// Where each generation began, as of the open or the last cut.
    #[must_use]
    pub fn epochs(&self) -> Vec<EpochEntry> {
        self.shared.state().epochs.clone()
    }

    /// The accepted generation and the commit, as of the open or the last cut.
    #[must_use]
    pub fn accepted(&self) -> Accepted {
        self.shared.state().accepted.clone()
    }

    /// Looks whether a writer went on.
    ///
    /// # Errors
    /// [`StorageError::Corruption`] for damage behind the records that were seen, which stay; [`StorageError::Io`]; those of
    /// [`open`](Self::open) when the log was cut back and is planned anew.
    pub fn refresh(&self) -> Result<(), StorageError> {
        self.shared.look()
    }

    /// Reads from `from` on, as [`Log::read`](super::super::Log::read) does. [`Bound::Durable`] and [`Bound::Commit`] are
    /// what the sidecars said at the open.
    ///
    /// # Errors
    /// [`StorageError::Trimmed`] for a start below the base.
    pub fn read(&self, from: u64, bound: Bound) -> Result<Records, StorageError> {
        Records::new(self.view(), from, bound)
    }

    /// Reads records from `start` on at once, as [`Log::read_range`](super::super::Log::read_range) does.
    ///
    /// # Errors
    /// Those of [`Records::next`].
    pub fn read_range(&self, start: u64, max_bytes: u64) -> Result<Vec<KeptRecord>, StorageError> {
        let most = self.shared.max_records_per_read;
        super::range(self.view(), start, Bound::Tail, max_bytes, most)
    }

    /// Reads from `from` on, and looks for more at the end.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn follow(&self, from: u64) -> Result<Follow, StorageError> {
        Ok(Follow::new(self.read(from, Bound::Tail)?))
    }

    fn view(&self) -> Arc<dyn View> {
        Arc::clone(&self.shared) as Arc<dyn View>
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) -> Result<(), StorageError> {
        self.take_note(|watch| watch.look(&self.published))
    }

    /// Goes along with what a look finds.
    fn take_note(
        &self,
        look: impl FnOnce(&mut Watch) -> Result<Seen, StorageError>,
    ) -> Result<(), StorageError> {
        let mut state = self.state();
        match look(&mut state.watch)? {
            Seen::Same => return Ok(()),
            Seen::More => {}
            Seen::Cut { found, to } => {
                state.epochs = found.epochs;
                state.accepted = found.accepted;
                for segment in self.published.segments().iter() {
                    segment.slot.retire(segment.bytes());
                }
                self.published
                    .cut(found.segments, found.base, found.tail, to);
            }
        }
        // Whoever waits looks at the state.
        drop(state);
        self.signal.notify();
        Ok(())
    }
}

impl View for Shared {
    fn label(&self) -> &str {
        &self.label
    }

    fn published(&self) -> &Arc<Published> {
        &self.published
    }

    fn opener(&self) -> &Opener {
        &self.opener
    }

    fn limit(&self, bound: Bound) -> u64 {
        let tail = self.published.tail();
        match bound {
            Bound::Tail => tail,
            Bound::Durable => self.state().watch.durable().min(tail),
            Bound::Commit => self.state().accepted.commit.min(tail),
        }
    }

    fn check(&self) -> Result<(), StorageError> {
        Ok(())
    }

    fn is_poisoned(&self) -> bool {
        false
    }

    fn signal(&self) -> &Signal {
        &self.signal
    }

    fn refresh(&self) -> Result<Option<Duration>, StorageError> {
        self.look()?;
        Ok(Some(LOOK_AGAIN))
    }

    fn look_back(&self) -> Result<(), StorageError> {
        self.take_note(|watch| watch.look_back(&self.published))
    }
}
