//! A log without records.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ondisk_engine::background::Background;
use ondisk_engine::clock::ManualClock;
use ondisk_engine::commit::{Commit, Flush, GroupCommit};

/// Far longer than anything takes here, on a machine that is busy with other things too.
pub const LONG: Duration = Duration::from_secs(60);

/// Offsets that are given out, and how far a flush brought them.
#[derive(Default)]
pub struct Log {
    tail: AtomicU64,
    pub synced: AtomicU64,
    pub threads: Mutex<HashSet<ThreadId>>,
    /// A flush says that it begins, and waits until it may go on.
    gate: Option<(Sender<()>, Mutex<Receiver<()>>)>,
}

impl Flush for Log {
    fn flush(&self) -> io::Result<u64> {
        let tail = self.tail.load(Ordering::SeqCst);
        self.threads
            .lock()
            .expect("no panic")
            .insert(thread::current().id());
        if let Some((begins, goes_on)) = &self.gate {
            let _listening = begins.send(());
            let _gone = goes_on.lock().expect("no panic").recv();
        }
        self.synced.fetch_max(tail, Ordering::SeqCst);
        Ok(tail)
    }
}

impl Log {
    /// Its group commit.
    pub fn commit(self: &Arc<Self>, background: &Background) -> GroupCommit {
        let flush: Weak<Self> = Arc::downgrade(self);
        GroupCommit::new(0, flush, background)
    }

    /// Gives out the next offset.
    pub fn append(&self, commit: &GroupCommit) -> Commit {
        let offset = self.tail.fetch_add(1, Ordering::SeqCst);
        commit.handle(offset..offset + 1, false)
    }

    /// One whose flushes hang, with what tells that one has begun and what lets it go on.
    pub fn hanging() -> (Arc<Self>, Receiver<()>, Sender<()>) {
        let (begins, begun) = channel();
        let (goes_on, go_on) = channel();
        let log = Self {
            gate: Some((begins, Mutex::new(go_on))),
            ..Self::default()
        };
        (Arc::new(log), begun, goes_on)
    }
}

/// A background that runs when it is told.
pub fn by_hand() -> Background {
    Background::manual(Arc::new(ManualClock::default()))
}

/// What is done to the commits of a log.
pub type End = fn(&GroupCommit);
