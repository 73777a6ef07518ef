//! What goes wrong while the power is on.

use std::io;

use rustix::io::Errno;

/// What is to go wrong.
///
/// An error hits the calls that it hits on a real system; the call with the number `at` is done as ever if it is none of
/// them. For good it goes on like this:
///
/// | error | hits | and for good |
/// |---|---|---|
/// | `EIO` | every call | all calls on what the first one was on: that file, or that directory |
/// | `ENOSPC`, `EDQUOT` | create, write, lengthen, reserve, share blocks | those |
/// | `EROFS` | what changes, opening to change, syncs | those |
/// | `EMFILE`, `ENFILE` | open, create a file, list, lock | those |
/// | `EINTR` | open, create a file, list, lock, read, write, sync | never: whoever tries again gets through |
/// | any other | every call | all calls of the kind of the first |
///
/// A call that fails has done nothing, but for two: a sync of a file drops the bytes that it was to bring, unless it was
/// interrupted; and a directory that was created, but not opened because of the fault, is there.
///
/// ```
/// use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
/// use ondisk_engine::disk::Directory;
///
/// let disk = SimulatedDisk::new();
/// disk.arm(Some(Fault::Fails { at: disk.calls(), errno: 28, for_good: true }));
/// assert!(disk.root().create("file").is_err(), "there is no room");
/// assert!(disk.root().entries()?.is_empty(), "but it can be listed");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Power is cut ahead of the operation with this number, counted from 0. From then on every call fails.
    PowerCut {
        /// The number, as [`SimulatedDisk::operations`](super::SimulatedDisk::operations) counts them.
        at: u64,
    },
    /// The call with this number fails with an error of the system, by its number.
    Fails {
        /// The number, as [`SimulatedDisk::calls`](super::SimulatedDisk::calls) counts them.
        at: u64,
        /// The error, such as 28 for a full disk.
        errno: i32,
        /// Whether calls after it fail as well.
        for_good: bool,
    },
    /// The call with this number, if it reads or writes more than one byte, does the first half and says so.
    Short {
        /// The number, as [`SimulatedDisk::calls`](super::SimulatedDisk::calls) counts them.
        at: u64,
    },
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Edit,
    OpenDirectory,
    Create,
    CreateDirectory,
    Rename,
    Unlink,
    RemoveDirectory,
    SyncDirectory,
    List,
    Stat,
    Lock,
    Read,
    NextData,
    Write,
    Lengthen,
    Cut,
    SyncFile,
    Allocate,
    Share,
    TakeOwner,
}

impl Kind {
    fn opens(self) -> bool {
        matches!(
            self,
            Self::Open | Self::Edit | Self::OpenDirectory | Self::Create | Self::List | Self::Lock
        )
    }

    fn takes_room(self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::CreateDirectory
                | Self::Write
                | Self::Lengthen
                | Self::Allocate
                | Self::Share
        )
    }

    fn only_looks(self) -> bool {
        matches!(
            self,
            Self::Open
                | Self::OpenDirectory
                | Self::List
                | Self::Stat
                | Self::Lock
                | Self::Read
                | Self::NextData
        )
    }

    fn may_be_interrupted(self) -> bool {
        let moves_bytes = matches!(
            self,
            Self::Read | Self::Write | Self::SyncFile | Self::SyncDirectory
        );
        moves_bytes || self.opens()
    }
}

/// The calls that an error hits.
enum Hits {
    /// Those that are so.
    If(fn(Kind) -> bool),
    /// Those that are so, once.
    OnceIf(fn(Kind) -> bool),
    /// All, then those on the same inode.
    Inode,
    /// All, then those of the same kind.
    Kind,
}

impl Hits {
    fn of(errno: i32) -> Self {
        match Errno::from_raw_os_error(errno) {
            Errno::IO => Self::Inode,
            Errno::NOSPC | Errno::DQUOT => Self::If(Kind::takes_room),
            Errno::ROFS => Self::If(|kind| !kind.only_looks()),
            Errno::MFILE | Errno::NFILE => Self::If(Kind::opens),
            Errno::INTR => Self::OnceIf(Kind::may_be_interrupted),
            _ => Self::Kind,
        }
    }
}

/// How a call goes on that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    Short,
}

/// Counts calls and lets them fail.
#[derive(Clone, Default)]
pub(super) struct Faults {
    armed: Option<Fault>,
    calls: u64,
    struck: u64,
    /// The first call that failed for good.
    first: Option<(Kind, u64)>,
}

impl Faults {
    pub(super) fn calls(&self) -> u64 {
        self.calls
    }

    pub(super) fn struck(&self) -> u64 {
        self.struck
    }

    pub(super) fn arm(&mut self, fault: Option<Fault>) {
        self.armed = fault;
        self.first = None;
    }

    /// How many of so many bytes a call does.
    pub(super) fn bytes(&mut self, verdict: Verdict, len: usize) -> usize {
        match verdict {
            Verdict::Short if len > 1 => {
                self.struck += 1;
                len / 2
            }
            Verdict::Short | Verdict::Go => len,
        }
    }

    /// The same counts, and nothing armed.
    pub(super) fn disarmed(&self) -> Self {
        Self {
            calls: self.calls,
            struck: self.struck,
            ..Self::default()
        }
    }

    /// A call begins, after so many operations, on one inode or on two.
    pub(super) fn call(
        &mut self,
        operations: u64,
        kind: Kind,
        inodes: &[u64],
    ) -> io::Result<Verdict> {
        let now = self.calls;
        self.calls += 1;
        match self.armed {
            Some(Fault::PowerCut { at }) if operations >= at => {
                self.struck += 1;
                Err(io::Error::other("the power is off"))
            }
            Some(Fault::Short { at }) if now == at => Ok(Verdict::Short),
            Some(Fault::Fails {
                at,
                errno,
                for_good,
            }) if now == at || for_good && now > at => {
                let hit = match (Hits::of(errno), self.first) {
                    (Hits::If(is_so), _) => is_so(kind),
                    (Hits::OnceIf(is_so), _) => now == at && is_so(kind),
                    (Hits::Inode, Some((_, first))) => inodes.contains(&first),
                    (Hits::Kind, Some((first, _))) => kind == first,
                    (Hits::Inode | Hits::Kind, None) => true,
                };
                if !hit {
                    return Ok(Verdict::Go);
                }
                self.struck += 1;
                let inode = inodes.first().copied().unwrap_or_default();
                self.first.get_or_insert((kind, inode));
                Err(io::Error::from_raw_os_error(errno))
            }
            _ => Ok(Verdict::Go),
        }
    }
}
