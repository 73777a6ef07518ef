//! A disk that fails when it is told to, over one in memory that loses nothing.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use ondisk_engine::disk::Directory;
pub use ondisk_engine::disk::hooked::Call;
use ondisk_engine::disk::hooked::{HookedDirectory, Verdict};
use ondisk_engine::disk::memory::MemoryDirectory;

/// How it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nothing is done.
    Error,
    /// Half of the bytes are written, and there is no room for the rest.
    Short,
}

#[derive(Clone, Debug)]
pub enum When {
    /// The call of this number, counted from when it was armed; `for_good` fails all of its kind behind it too.
    Nth { nth: usize, for_good: bool },
    /// Every call of these kinds.
    Kinds(Vec<Call>),
}

/// What fails, and what was called.
#[derive(Debug, Default)]
pub struct Faults(Mutex<State>);

/// Runs ahead of a call, in its place in time.
type Hook = Arc<dyn Fn(Call, &str) + Send + Sync>;

#[derive(Default)]
struct State {
    hook: Option<Hook>,
    armed: Option<(When, How)>,
    calls: Vec<(Call, String)>,
    fired: Option<(Call, String)>,
    /// The write behind a short one.
    full: bool,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Faults {
    /// Has something else done ahead of every call.
    pub fn hook(&self, hook: impl Fn(Call, &str) + Send + Sync + 'static) {
        self.state().hook = Some(Arc::new(hook));
    }

    pub fn arm(&self, when: When, how: How) {
        *self.state() = State {
            armed: Some((when, how)),
            ..State::default()
        };
    }

    /// Nothing fails any more. Returns what failed first.
    pub fn heal(&self) -> Option<(Call, String)> {
        let mut state = self.state();
        state.armed = None;
        state.full = false;
        state.fired.clone()
    }

    /// Whether something failed since it was armed.
    pub fn fired(&self) -> bool {
        self.state().fired.is_some()
    }

    /// All calls since it was armed, or from the beginning.
    pub fn calls(&self) -> Vec<(Call, String)> {
        self.state().calls.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic under it")
    }

    /// What becomes of a call: none when it is done as ever.
    fn meet(&self, call: Call, name: &str) -> Option<How> {
        let hook = self.state().hook.clone();
        if let Some(hook) = hook {
            hook(call, name);
        }
        let mut state = self.state();
        let number = state.calls.len();
        state.calls.push((call, name.to_owned()));
        if call == Call::Write && std::mem::take(&mut state.full) {
            return Some(How::Error);
        }
        let (when, how) = state.armed.clone()?;
        let fails = match when {
            When::Nth { nth, for_good } => {
                let again = || {
                    state
                        .fired
                        .as_ref()
                        .is_some_and(|&(fired, _)| fired == call)
                };
                number == nth || for_good && again()
            }
            When::Kinds(kinds) => kinds.contains(&call),
        };
        if !fails {
            return None;
        }
        if state.fired.is_none() {
            state.fired = Some((call, name.to_owned()));
        }
        state.full = call == Call::Write && how == How::Short;
        Some(how)
    }
}

fn failure(call: Call) -> io::Error {
    match call {
        Call::Write | Call::Create | Call::Allocate => io::ErrorKind::StorageFull.into(),
        _ => io::Error::other("the medium failed"),
    }
}

/// A disk in memory whose operations meet these faults.
pub fn faulty(inner: MemoryDirectory, faults: &Arc<Faults>) -> Arc<dyn Directory> {
    let faults = Arc::clone(faults);
    HookedDirectory::over(Arc::new(inner), move |call, name| {
        if !call.changes() {
            return Verdict::Go;
        }
        match faults.meet(call, name) {
            None => Verdict::Go,
            Some(How::Short) if call == Call::Write => Verdict::Short,
            Some(_) => Verdict::Fail(failure(call)),
        }
    })
}
