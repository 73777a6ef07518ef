//! A disk that can lose power, lie about what it holds, and fail.
//!
//! It lies in memory, and knows of every file which bytes and which length were synced, and of every directory which names
//! were. From what was not synced any number of disks can be made that may be found after a crash, each by a seed
//! ([`SimulatedDisk::after`]). Nothing of this depends on time, threads or addresses: the same calls and the same seed give
//! the same disk.
//!
//! # What a power cut may leave
//!
//! The model is strict: it allows what some file system may do, not what a particular one does. A crash in the midst of an
//! operation leaves nothing that one ahead of it or behind it could not leave.
//!
//! - **Bytes.** A sector of 512 bytes is written whole or not at all. One that was written since its sync is found as it was
//!   synced, or as it was behind any of the last eight writes to it, each sector for itself. A sector that is new to the file
//!   may be found as zeros. What was synced and not written since is found as it was.
//! - **Length.** A file is found with the length that was synced, or with any that it had since, whatever is found of its
//!   bytes: it may end ahead of bytes that were written, or in zeros. A write that makes a file longer does so one page of
//!   4096 bytes after the other.
//! - **Cuts.** What is left of the page behind a new end is zeroed in the cache, and those zeros may be found even though
//!   the old length is. Pages behind it are found as they were, or not at all. A file that grows again has zeros there.
//! - **Names.** Each create, rename and unlink since the sync of its directory is found done or undone, each for itself. A
//!   rename is done whole or not at all, in one directory and between two, and a file that it replaces is there until it is
//!   done. When only one of the two directories was synced, that vouches for its own half: the file may have both names, or
//!   none. Otherwise nothing with a name that was synced goes without one until it was unlinked or replaced: a change that
//!   would leave it without, because another one that moved it away from there was undone, is undone too.
//! - **What a sync brings.** That of a file its bytes and its length, not its name. That of a directory the names in it, not
//!   its own, and not what they name: a name may be found with an empty file.
//!
//! Of what was not synced, all old, all new, and all as it was at one moment (of a sector, as far back as those eight writes)
//! are about as likely as mixtures: of files with fates of their own, so that one is all new and another all old, and of
//! single sectors and names.
//!
//! # What a failed sync leaves
//!
//! The bytes that it was to bring are dropped. Readers go on to see them, and the next sync succeeds and does not bring them,
//! until they are written again. A crash may find them or not. The length of a file is not dropped, and neither are names: a
//! file system keeps those in a journal, and stops at an error rather than forget one. They wait for the next sync. One without
//! a journal does forget ([`SimulatedDisk::with_forgetful_directories`]): then they are dropped like bytes, and brought by the
//! next sync if the same name or the same file was changed again.
//!
//! # What a hostile disk does besides
//!
//! [`Model`] tells the kinds of damage. A byte that was synced and that no write since would change stays what it was, but
//! for bit rot, which [`SimulatedDisk::rotted`] tells.
//!
//! # What it does not model
//!
//! Owners, modes and times; blocks that were reserved (a write into them fails on a full disk like any other); limits of
//! space and of descriptors, which are faults to be armed; hard links, which nothing here makes.
//!
//! ```
//! use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
//! use ondisk_engine::disk::{Directory, File, write_all_at};
//!
//! let disk = SimulatedDisk::new();
//! let file = disk.root().create("journal")?;
//! write_all_at(&*file, b"committed", 0)?;
//! file.sync_data()?;
//! // Its bytes are safe. Its name is not, until the directory is synced too.
//! let is_there = |disk: SimulatedDisk| disk.root().stat("journal").is_ok();
//! assert!((0..100).any(|seed| !is_there(disk.after(Model::PowerCut, seed))));
//! disk.root().sync()?;
//! assert!((0..100).all(|seed| is_there(disk.after(Model::PowerCut, seed))));
//! # Ok::<(), std::io::Error>(())
//! ```

mod chance;
mod content;
mod crash;
mod directory;
mod fault;
mod file;
mod fingerprint;
mod handle;
mod hostile;
mod kept;
mod lookup;
mod mapped;
mod names;
mod sectors;
mod world;

pub use directory::SimulatedDirectory;
pub use fault::Fault;
pub use file::SimulatedFile;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Directory;
use super::hooked::Call;
use handle::Handle;
use names::Names;
use world::{Inode, Options, ROOT, World};

/// A disk in memory that can lose power. Clones are handles of one disk.
#[derive(Clone)]
pub struct SimulatedDisk {
    world: Arc<Mutex<World>>,
}

/// What a crash may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// What was not synced is old or new, piece by piece.
    PowerCut,
    /// The same; and a sector that was not synced may show what a file held that was unlinked or cut, in the same place of
    /// it if it was as long.
    StaleBlocks,
    /// The same as a power cut; and a sector that was not synced may show random bytes.
    Garbage,
    /// The same as a power cut; and one bit of a byte that was synced, anywhere on the disk, is flipped.
    BitRot,
    /// One of the three kinds of damage, or all of them, by the seed.
    Hostile,
}

/// The disk ahead of an operation.
///
/// ```
/// use ondisk_engine::disk::hooked::Call;
/// use ondisk_engine::disk::simulated::SimulatedDisk;
/// use ondisk_engine::disk::{Directory, File};
///
/// let disk = SimulatedDisk::new();
/// disk.record();
/// disk.root().create("file")?.sync_data()?;
/// let told = disk.moments().into_iter().map(|moment| moment.call);
/// assert_eq!(told.collect::<Vec<_>>(), [Call::Create, Call::SyncFile]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the operation, counted from 0.
    pub at: u64,
    /// What it was about to do. Sharing blocks is a write.
    pub call: Call,
    /// To what: the name under which a file was opened, of a rename the new one, of the sync of a directory none.
    pub name: String,
    /// A disk of its own, frozen there.
    pub disk: SimulatedDisk,
}

impl fmt::Debug for SimulatedDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SimulatedDisk")
    }
}

impl Default for SimulatedDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl SimulatedDisk {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Self {
        let mut world = World::empty(Options::default());
        world.add(Inode::Directory(Names::default()));
        Self::of(world)
    }

    /// The same disk, with files that can be mapped, on a system that has files in memory (Linux). Each file that is mapped
    /// costs a descriptor. Disks that are made of this one have it too.
    #[must_use]
    pub fn with_mappings(self) -> Self {
        self.world().options.maps = true;
        self
    }

    /// The same disk, on which a failed sync of a directory drops names like bytes: of a file system without a journal. Disks
    /// that are made of this one are such too.
    #[must_use]
    pub fn with_forgetful_directories(self) -> Self {
        self.world().options.forgets_names = true;
        self
    }

    fn of(world: World) -> Self {
        Self {
            world: Arc::new(Mutex::new(world)),
        }
    }

    /// Its root directory.
    #[must_use]
    pub fn root(&self) -> Arc<dyn Directory> {
        let handle = Handle::open(self, &mut self.world(), ROOT);
        Arc::new(SimulatedDirectory::new(handle, PathBuf::from("disk")))
    }

    /// Lets something go wrong from now on, or nothing any more.
    pub fn arm(&self, fault: Option<Fault>) {
        self.world().faults.arm(fault);
    }

    /// Operations that changed something or synced it, so far. Those that failed are not counted.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.world().operations
    }

    /// All calls so far: those that only look too, and those that failed. To create a directory is two, since it is opened.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.world().faults.calls()
    }

    /// Calls so far that failed or stopped short because of what was armed.
    #[must_use]
    pub fn struck(&self) -> u64 {
        self.world().faults.struck()
    }

    /// Keeps the disk as it is ahead of each operation that changes or syncs something, from now on.
    pub fn record(&self) {
        self.world().recorded = Some(Vec::new());
    }

    /// What was kept since [`record`](Self::record).
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        self.world().recorded.clone().unwrap_or_default()
    }

    /// A disk of its own with all that is on this one, synced or not, without its locks and faults: what another process
    /// finds when this one is killed now.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self::of(self.world().copy())
    }

    /// Whether a crash may tell: something is not synced, or was dropped by a sync that failed.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.world().is_dirty()
    }

    /// A disk as it may be found after a crash, all of it synced, without locks and faults. The same seed gives the same
    /// disk.
    #[must_use]
    pub fn after(&self, model: Model, seed: u64) -> Self {
        Self::of(crash::after(&self.world(), model, seed))
    }

    /// Bytes of which a crash flipped a bit, by the path from the root at that time and the position in the file.
    #[must_use]
    pub fn rotted(&self) -> Vec<(String, u64)> {
        self.world().rotted.clone()
    }

    /// A number that two disks share, all but certainly, only when the same bytes lie on them under the same names, as
    /// readers see them. It is the same in every run.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        fingerprint::of(&self.world())
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.world, &other.world)
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
