//! Which jobs are to run, and when: a plain value that knows of no thread.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::sync::thread::ThreadId;

/// What a task does when it runs.
pub type Job = Arc<dyn Fn() + Send + Sync>;

/// The tasks by their ids, those that are ready in the order in which they became so, and the timers.
#[derive(Default)]
pub struct Schedule {
    tasks: BTreeMap<u64, Entry>,
    ready: VecDeque<u64>,
    timers: BTreeSet<(Duration, u64)>,
    next_id: u64,
}

struct Entry {
    job: Job,
    phase: Phase,
    deadline: Option<Duration>,
}

/// How far a task is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nobody has woken it.
    Idle,
    /// It is among those that are ready.
    Ready,
    /// A thread runs it.
    Running(ThreadId),
    /// A thread runs it, and it was woken since: that run may have missed what it was woken for.
    Again(ThreadId),
    /// A thread runs it for the last time.
    Leaving(ThreadId),
}

impl Schedule {
    /// Takes in a task that is not ready. Returns its id.
    pub fn register(&mut self, job: Job) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let entry = Entry {
            job,
            phase: Phase::Idle,
            deadline: None,
        };
        self.tasks.insert(id, entry);
        id
    }

    /// Makes a task ready. Whether it joined those that are.
    pub fn wake(&mut self, id: u64) -> bool {
        let Some(entry) = self.tasks.get_mut(&id) else {
            return false;
        };
        match entry.phase {
            Phase::Idle => {
                entry.phase = Phase::Ready;
                self.ready.push_back(id);
                true
            }
            Phase::Running(thread) => {
                entry.phase = Phase::Again(thread);
                false
            }
            Phase::Ready | Phase::Again(_) | Phase::Leaving(_) => false,
        }
    }

    /// Wakes a task at `deadline`, or at the one it has if that is earlier. Whether it is the next of all.
    pub fn at(&mut self, id: u64, deadline: Duration) -> bool {
        let Some(entry) = self.tasks.get_mut(&id) else {
            return false;
        };
        if matches!(entry.phase, Phase::Leaving(_)) {
            return false;
        }
        if let Some(earlier) = entry.deadline {
            if earlier <= deadline {
                return false;
            }
            self.timers.remove(&(earlier, id));
        }
        entry.deadline = Some(deadline);
        self.timers.insert((deadline, id));
        self.timers.first() == Some(&(deadline, id))
    }

    /// When the next timer ends.
    pub fn next_deadline(&self) -> Option<Duration> {
        self.timers.first().map(|&(deadline, _)| deadline)
    }

    /// Wakes one task whose timer has ended at `now`. Whether there was one.
    pub fn ring(&mut self, now: Duration) -> bool {
        let due = self.timers.first().filter(|&&(at, _)| at <= now).copied();
        let Some((_, id)) = due else { return false };
        self.timers.pop_first();
        if let Some(entry) = self.tasks.get_mut(&id) {
            entry.deadline = None;
        }
        self.wake(id);
        true
    }

    /// How many are ready.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// The one that is ready for longest, which `thread` runs from now on.
    pub fn take(&mut self, thread: ThreadId) -> Option<(u64, Job)> {
        let id = self.ready.pop_front()?;
        let entry = self.tasks.get_mut(&id)?;
        entry.phase = Phase::Running(thread);
        Some((id, Arc::clone(&entry.job)))
    }

    /// The run of a task has ended. Returns its entry's job if the task leaves, to be dropped outside of every lock.
    pub fn finish(&mut self, id: u64) -> Option<Job> {
        let entry = self.tasks.get_mut(&id)?;
        let phase = entry.phase;
        entry.phase = Phase::Idle;
        match phase {
            Phase::Again(_) => {
                self.wake(id);
                None
            }
            Phase::Leaving(_) => self.tasks.remove(&id).map(|entry| entry.job),
            Phase::Idle | Phase::Ready | Phase::Running(_) => None,
        }
    }

    /// Lets a task never run again. Returns its job if nobody runs it, to be dropped outside of every lock.
    pub fn cancel(&mut self, id: u64) -> Option<Job> {
        let entry = self.tasks.get_mut(&id)?;
        if let Some(deadline) = entry.deadline.take() {
            self.timers.remove(&(deadline, id));
        }
        match entry.phase {
            Phase::Running(thread) | Phase::Again(thread) | Phase::Leaving(thread) => {
                entry.phase = Phase::Leaving(thread);
                return None;
            }
            Phase::Ready => self.ready.retain(|&ready| ready != id),
            Phase::Idle => {}
        }
        self.tasks.remove(&id).map(|entry| entry.job)
    }

    /// The thread that runs a task, if one does.
    pub fn runner(&self, id: u64) -> Option<ThreadId> {
        match self.tasks.get(&id)?.phase {
            Phase::Running(thread) | Phase::Again(thread) | Phase::Leaving(thread) => Some(thread),
            Phase::Idle | Phase::Ready => None,
        }
    }
}
