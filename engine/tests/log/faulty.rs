//! A disk that fails when it is told to, over one in memory that loses nothing.

use std::any::Any;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::{Directory, Entry, EntryKind, File, Lock, Replace, Stat};

/// What can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Write,
    SetLen,
    SyncFile,
    SyncDirectory,
    Create,
    Rename,
    Unlink,
    Allocate,
}

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

    fn check(&self, call: Call, name: &str) -> io::Result<()> {
        match self.meet(call, name) {
            None => Ok(()),
            Some(_) => Err(failure(call)),
        }
    }
}

fn failure(call: Call) -> io::Error {
    match call {
        Call::Write | Call::Create | Call::Allocate => io::ErrorKind::StorageFull.into(),
        _ => io::Error::other("the medium failed"),
    }
}

#[derive(Debug)]
pub struct FaultyDirectory {
    inner: Arc<dyn Directory>,
    faults: Arc<Faults>,
}

#[derive(Debug)]
struct FaultyFile {
    inner: Arc<dyn File>,
    name: String,
    faults: Arc<Faults>,
}

impl FaultyDirectory {
    pub fn new(inner: MemoryDirectory, faults: &Arc<Faults>) -> Self {
        Self {
            inner: Arc::new(inner),
            faults: Arc::clone(faults),
        }
    }

    fn wrap(&self, name: &str, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(FaultyFile {
            inner,
            name: name.to_owned(),
            faults: Arc::clone(&self.faults),
        })
    }
}

impl Directory for FaultyDirectory {
    fn path(&self) -> &Path {
        self.inner.path()
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.inner.entries()
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        self.inner.stat(name)
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.inner.directory(name)
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        Ok(self.wrap(name, self.inner.file(name)?))
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        Ok(self.wrap(name, self.inner.edit(name)?))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.faults.check(Call::Create, name)?;
        Ok(self.wrap(name, self.inner.create(name)?))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.faults.check(Call::Create, name)?;
        self.inner.create_directory(name)
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        self.faults.check(Call::Rename, to)?;
        self.inner.rename(from, into, to, replace)
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        self.faults.check(Call::Unlink, name)?;
        self.inner.unlink(name)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        self.inner.remove_directory(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.faults.check(Call::SyncDirectory, "")?;
        self.inner.sync()
    }

    fn lock(&self) -> io::Result<Lock> {
        self.inner.lock()
    }

    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }
}

impl File for FaultyFile {
    fn stat(&self) -> io::Result<Stat> {
        self.inner.stat()
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.inner.read_at(buffer, position)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        self.inner.next_data(from)
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        match self.faults.meet(Call::Write, &self.name) {
            None => self.inner.write_at(bytes, position),
            Some(How::Short) if bytes.len() > 1 => {
                self.inner.write_at(&bytes[..bytes.len() / 2], position)
            }
            Some(_) => Err(failure(Call::Write)),
        }
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.faults.check(Call::SetLen, &self.name)?;
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.faults.check(Call::SyncFile, &self.name)?;
        self.inner.sync_data()
    }

    fn sync_all(&self) -> io::Result<()> {
        self.faults.check(Call::SyncFile, &self.name)?;
        self.inner.sync_all()
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        self.faults.check(Call::Allocate, &self.name)?;
        self.inner.allocate(len)
    }

    fn clone_of(&self, source: &dyn File) -> io::Result<bool> {
        self.inner.clone_of(source)
    }

    fn take_owner_of(&self, other: &dyn File) -> io::Result<()> {
        self.inner.take_owner_of(other)
    }

    fn forget(&self, position: u64, bytes: u64) {
        self.inner.forget(position, bytes);
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
