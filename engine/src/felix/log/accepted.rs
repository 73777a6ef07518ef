//! Which leader is accepted, and how far the log is committed (Felix 11.3, 11.4).

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ondisk::felix::{Ballot, Replica};

use crate::disk::Directory;
use crate::felix::sidecar::accepted::Accepted;
use crate::felix::sidecar::{ballot, replica};
use crate::planted::{self, Planted};

/// `replica` and `ballot` of an open log. Both are authoritative: nothing else can rebuild them.
#[derive(Debug)]
pub(super) struct AcceptedGeneration {
    /// Held while one of the files is written, so that an older value never replaces a newer one; taken before `state`.
    writing: Mutex<()>,
    state: Mutex<State>,
    /// The commit, for readers that take no lock.
    commit: AtomicU64,
}

#[derive(Debug)]
struct State {
    accepted: Accepted,
    /// The word of `replica` that is kept over a rewrite.
    reserved: u16,
    /// What `replica` holds on the device, zeros when there is no file; none when that is not known.
    stored: Option<(u64, u64)>,
}

/// What becomes of a leader that asks for a generation.
///
/// ```
/// use ondisk_engine::felix::log::{Acceptance, Config, Log};
///
/// # let place = tempfile::tempdir()?;
/// let log = Log::open(place.path(), Config::default())?;
/// assert_eq!(log.accept(3, Some("broker-1"))?, Acceptance::Raised);
/// let recorded = "broker-1".to_owned();
/// assert_eq!(log.accept(3, Some("broker-2"))?, Acceptance::Promised { recorded });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Acceptance {
    /// A later generation was accepted already.
    Superseded {
        /// The accepted generation.
        accepted: u64,
    },
    /// The generation was given up: whoever asks is refused.
    GivenUp,
    /// It is the accepted generation, and this is its leader or none is named.
    Current,
    /// It is the accepted generation, and another leader has it.
    Promised {
        /// The leader that has it.
        recorded: String,
    },
    /// It is accepted now, durably.
    Raised,
}

/// Longest name of a leader, in bytes (Felix 1.4).
pub const LONGEST_LEADER_BYTES: usize = 1024;

impl AcceptedGeneration {
    /// As both files say together; `replica` is what that file holds, if it is there.
    pub(super) fn new(accepted: Accepted, replica: Option<&Replica>) -> Self {
        Self {
            writing: Mutex::default(),
            commit: accepted.commit.into(),
            state: Mutex::new(State {
                reserved: replica.map_or(0, |replica| replica.reserved),
                stored: Some(
                    replica.map_or((0, 0), |replica| (replica.generation, replica.commit)),
                ),
                accepted,
            }),
        }
    }

    /// What is accepted.
    pub(super) fn now(&self) -> Accepted {
        self.lock().accepted.clone()
    }

    /// One past the newest record known to be held by a majority.
    pub(super) fn commit(&self) -> u64 {
        self.commit.load(Ordering::Acquire)
    }

    /// Decides on a leader, and makes what it decides durable before it returns.
    pub(super) fn accept(
        &self,
        directory: &dyn Directory,
        generation: u64,
        leader: Option<&str>,
    ) -> io::Result<Acceptance> {
        if leader.is_some_and(|leader| leader.is_empty() || leader.len() > LONGEST_LEADER_BYTES) {
            let what = "the name of a leader has 1 to 1024 bytes";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let _writing = self.writing();
        let accepted = self.now();
        if generation < accepted.generation {
            let accepted = accepted.generation;
            return Ok(Acceptance::Superseded { accepted });
        }
        if generation == accepted.generation {
            return self.accept_again(directory, &accepted, leader);
        }
        if planted::is(Planted::BallotAfterReplica) {
            self.store(directory, generation)?;
        }
        // The ballot first: on its own it is a raise, and names the leader that the raise is for.
        if let Some(leader) = leader {
            store_ballot(directory, generation, leader)?;
        }
        let raised = Accepted {
            generation,
            commit: self.commit(),
            leader: leader.map(str::to_owned),
            given_up: false,
        };
        if leader.is_some() {
            // Promised from here on, whatever becomes of `replica`: an open would take it from the ballot.
            self.lock().accepted = raised.clone();
        }
        self.store(directory, generation)?;
        self.lock().accepted = raised;
        Ok(Acceptance::Raised)
    }

    fn accept_again(
        &self,
        directory: &dyn Directory,
        accepted: &Accepted,
        leader: Option<&str>,
    ) -> io::Result<Acceptance> {
        if accepted.given_up {
            return Ok(Acceptance::GivenUp);
        }
        let recorded = accepted.leader.as_deref();
        if let (Some(recorded), Some(leader)) = (recorded, leader)
            && recorded != leader
        {
            let recorded = recorded.to_owned();
            return Ok(Acceptance::Promised { recorded });
        }
        if let (None, Some(leader)) = (recorded, leader) {
            store_ballot(directory, accepted.generation, leader)?;
            self.lock().accepted.leader = Some(leader.to_owned());
        }
        // A raise that did not get as far as `replica`.
        if self.stored_generation() != accepted.generation {
            self.store(directory, accepted.generation)?;
        }
        Ok(Acceptance::Current)
    }

    /// Refuses every leader of the accepted generation from now on, this broker included (Felix 14.4).
    pub(super) fn give_up(&self, directory: &dyn Directory) -> io::Result<()> {
        let _writing = self.writing();
        let accepted = self.now();
        if accepted.generation == 0 || accepted.given_up {
            return Ok(());
        }
        store_ballot(directory, accepted.generation, "")?;
        let mut state = self.lock();
        state.accepted.leader = None;
        state.accepted.given_up = true;
        Ok(())
    }

    /// Raises the commit, in memory; a lower one is ignored. Whether `replica` lags behind now.
    pub(super) fn advance_commit(&self, commit: u64) -> bool {
        let mut state = self.lock();
        if commit > state.accepted.commit {
            state.accepted.commit = commit;
            self.commit.store(commit, Ordering::Release);
        }
        state.lags()
    }

    /// Lowers the commit to `commit`, durably: only `restore_to` may (Felix 14.3).
    pub(super) fn lower_commit(&self, directory: &dyn Directory, commit: u64) -> io::Result<()> {
        let _writing = self.writing();
        let before = {
            let mut state = self.lock();
            let before = state.accepted.commit;
            if before <= commit {
                return Ok(());
            }
            state.accepted.commit = commit;
            self.commit.store(commit, Ordering::Release);
            before
        };
        let generation = self.now().generation;
        let stored = self.store(directory, generation);
        if stored.is_err() {
            // Nothing is cut then, so all of it is guarded as before.
            self.advance_commit(before);
        }
        stored
    }

    /// Writes a `replica` that lags. No advance of the commit waits for it meanwhile.
    pub(super) fn write_behind(&self, directory: &dyn Directory) -> io::Result<()> {
        let _writing = self.writing();
        if !self.lags() {
            return Ok(());
        }
        let generation = self.now().generation;
        self.store(directory, generation)
    }

    /// Whether `replica` says less than is known.
    pub(super) fn lags(&self) -> bool {
        self.lock().lags()
    }

    /// Writes `replica` with this generation and the commit as it is. `writing` is held.
    fn store(&self, directory: &dyn Directory, generation: u64) -> io::Result<()> {
        let now = {
            let state = self.lock();
            Replica {
                reserved: state.reserved,
                generation,
                commit: state.accepted.commit,
            }
        };
        let stored = replica::store(directory, &now);
        // After a failure the file is the old one or the new one.
        let known = (now.generation, now.commit);
        self.lock().stored = stored.is_ok().then_some(known);
        stored
    }

    fn stored_generation(&self) -> u64 {
        self.lock().stored.map_or(0, |(generation, _)| generation)
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn lags(&self) -> bool {
        let now = (self.accepted.generation, self.accepted.commit);
        self.stored != Some(now)
    }
}

fn store_ballot(directory: &dyn Directory, generation: u64, leader: &str) -> io::Result<()> {
    let ballot = Ballot {
        generation,
        leader: leader.to_owned(),
    };
    ballot::store(directory, &ballot)
}
