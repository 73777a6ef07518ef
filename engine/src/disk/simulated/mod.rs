//! A disk that can lose power.
//!
//! It knows of every file which bytes and which length were synced, and of every directory which names were. Power is cut at
//! a chosen operation: from then on every call fails, as for a process that is gone. Any number of possible disks can be
//! made of what was there, each by a seed:
//!
//! - each 512-byte sector that was not synced is old or new on its own;
//! - bytes that are new to a file are zero or written;
//! - a file is as long as it was at any moment since its sync;
//! - each create, rename and unlink that was not synced is kept or undone on its own.
//!
//! An operation can also be made to fail without the power going, once or from then on.

mod directory;
mod file;
mod image;

pub use directory::SimulatedDirectory;
pub use file::SimulatedFile;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Directory;
use super::hooked::Call;

/// A disk in memory that can lose power. Clones are handles of one disk.
#[derive(Clone, Debug)]
pub struct SimulatedDisk {
    world: Arc<Mutex<World>>,
}

/// What is to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Power is cut ahead of the operation with this number, counted from 0.
    PowerCut {
        /// The number.
        at: u64,
    },
    /// The operation with this number fails with an error of the system, by its number.
    Fails {
        /// The number.
        at: u64,
        /// The error, such as 28 for a full disk.
        errno: i32,
        /// Whether every operation after it fails as well.
        for_good: bool,
    },
}

/// What a crash may do to what was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// What was not synced is old or new, piece by piece.
    PowerCut,
    /// The same, on a disk that damages things too.
    Hostile,
}

/// The disk ahead of an operation.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the operation, counted from 0.
    pub at: u64,
    /// What it was about to do.
    pub call: Call,
    /// To what: a name in its directory.
    pub name: String,
    /// A disk of its own, frozen there.
    pub disk: SimulatedDisk,
}

/// Everything on the disk.
#[derive(Clone, Debug, Default)]
struct World {
    inodes: BTreeMap<u64, Inode>,
    next_inode: u64,
    operations: u64,
    calls: u64,
    recorded: Option<Vec<Moment>>,
    fault: Option<Fault>,
    locked: BTreeSet<u64>,
}

#[derive(Clone, Debug)]
enum Inode {
    File(file::Content),
    Directory(directory::Names),
}

/// The inode of the root.
const ROOT: u64 = 0;

impl Default for SimulatedDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl SimulatedDisk {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Self {
        let mut world = World::default();
        world.add(Inode::Directory(directory::Names::default()));
        Self::of(world)
    }

    fn of(world: World) -> Self {
        Self {
            world: Arc::new(Mutex::new(world)),
        }
    }

    /// Its root directory.
    #[must_use]
    pub fn root(&self) -> Arc<dyn Directory> {
        Arc::new(SimulatedDirectory::new(
            self.clone(),
            ROOT,
            PathBuf::from("disk"),
        ))
    }

    /// Lets something go wrong from now on.
    pub fn arm(&self, fault: Option<Fault>) {
        self.world().fault = fault;
    }

    /// Operations that changed something or synced it, so far.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.world().operations
    }

    /// All calls so far, those that only look too.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.world().calls
    }

    /// Keeps the disk ahead of each operation from now on.
    pub fn record(&self) {
        self.world().recorded = Some(Vec::new());
    }

    /// What was kept since [`record`](Self::record).
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        self.world().recorded.clone().unwrap_or_default()
    }

    /// Whether anything is not synced.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.world().inodes.values().any(|inode| match inode {
            Inode::File(content) => content.is_dirty(),
            Inode::Directory(names) => names.is_dirty(),
        })
    }

    /// A disk as it may be found when power comes back. The same seed gives the same disk.
    #[must_use]
    pub fn after(&self, model: Model, seed: u64) -> Self {
        match model {
            Model::PowerCut | Model::Hostile => Self::of(image::after(&self.world(), seed)),
        }
    }

    /// A disk as it may be found when power comes back.
    #[must_use]
    pub fn after_power_cut(&self, seed: u64) -> Self {
        self.after(Model::PowerCut, seed)
    }

    /// A number that two disks share when the same bytes lie on them under the same names.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        image::fingerprint(&self.world())
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The disk for an operation that only looks.
    fn look(&self) -> io::Result<MutexGuard<'_, World>> {
        let mut world = self.world();
        world.calls += 1;
        match world.fault {
            Some(Fault::PowerCut { at }) if world.operations >= at => Err(gone()),
            _ => Ok(world),
        }
    }

    /// The disk for an operation that changes something, counted.
    fn change(&self, call: Call, name: &str) -> io::Result<MutexGuard<'_, World>> {
        let mut world = self.world();
        world.calls += 1;
        let now = world.operations;
        match world.fault {
            Some(Fault::PowerCut { at }) if now >= at => return Err(gone()),
            Some(Fault::Fails {
                at,
                errno,
                for_good,
            }) if now == at || (for_good && now > at) => {
                world.operations += 1;
                return Err(io::Error::from_raw_os_error(errno));
            }
            _ => {}
        }
        if world.recorded.is_some() {
            let frozen = World {
                recorded: None,
                fault: None,
                locked: BTreeSet::new(),
                ..world.clone()
            };
            let moment = Moment {
                at: now,
                call,
                name: name.to_owned(),
                disk: Self::of(frozen),
            };
            world.recorded.get_or_insert_default().push(moment);
        }
        world.operations += 1;
        Ok(world)
    }
}

impl World {
    fn add(&mut self, inode: Inode) -> u64 {
        let number = self.next_inode;
        self.next_inode += 1;
        self.inodes.insert(number, inode);
        number
    }

    fn content(&mut self, inode: u64) -> io::Result<&mut file::Content> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::File(content)) => Ok(content),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&mut self, inode: u64) -> io::Result<&mut directory::Names> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::Directory(names)) => Ok(names),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

fn gone() -> io::Error {
    io::Error::other("the power is off")
}
