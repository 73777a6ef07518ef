//! Copies of shards and data directories, and what they owe once they are made.

mod check;
mod originals;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::disk::{Directory, EntryKind};
use ondisk_engine::felix::copy::{CopyError, CopySettings, copy_root, copy_shard};
use ondisk_engine::felix::store::Marker;

use crate::explore::{Stage, Subject, Trail, unwinding};
use crate::faults::Failures;
use crate::promise::{Promise, Violation};
use crate::shard;

/// The name of the original, and that of the copy.
const SOURCE: &str = "source";
const TARGET: &str = "target";

/// A shard or a data directory, and its copy.
#[derive(Clone, Copy, Debug)]
pub struct Copying {
    name: &'static str,
    is_root: bool,
    original: fn(&Arc<dyn Directory>) -> Result<(), String>,
}

/// What may be found.
#[derive(Clone, Debug)]
pub struct Expectation {
    original: Arc<Original>,
    /// The copy has returned.
    done: bool,
}

/// What is copied.
#[derive(Debug)]
struct Original {
    /// Every byte of it.
    files: BTreeMap<String, Vec<u8>>,
    /// Its logs, by path.
    logs: BTreeMap<String, shard::Found>,
    markers: Vec<Marker>,
    id: Option<[u8; 16]>,
}

/// All of them.
#[must_use]
pub fn copies() -> Vec<Copying> {
    originals::ALL.to_vec()
}

impl Copying {
    /// Puts the original onto an empty disk, beside an empty directory. All of it is synced.
    fn prepared(&self) -> Result<(SimulatedDisk, Arc<Original>), Violation> {
        let disk = SimulatedDisk::new();
        let made = || -> Result<(), String> {
            let root = disk.root();
            let made = root
                .create_directory(SOURCE)
                .and_then(|source| root.create_directory(TARGET).map(|_| source));
            let source = made
                .and_then(|source| root.sync().map(|()| source))
                .map_err(|error| error.to_string())?;
            (self.original)(&source)?;
            sync_all(&source).map_err(|error| error.to_string())
        };
        made().map_err(|what| unprepared(&what))?;
        let original = Original::of(&disk, self.is_root)?;
        Ok((disk, Arc::new(original)))
    }

    fn copy(&self, disk: &SimulatedDisk) -> Result<(), CopyError> {
        let (source, target) = (
            directory(disk, SOURCE).map_err(in_copy)?,
            directory(disk, TARGET).map_err(in_copy)?,
        );
        let settings = CopySettings::default();
        match self.is_root {
            true => copy_root(&source, &target, &settings, &mut |_| {}).map(drop),
            false => copy_shard(&source, &target, &settings).map(drop),
        }
    }

    /// Lets each call of the copy fail once, with every error. It leaves nothing there then, and can be made again.
    ///
    /// # Errors
    /// The first promise that is broken.
    pub fn fail_everywhere(&self) -> Result<Failures, Violation> {
        let (prepared, original) = self.prepared()?;
        let (first, end) = {
            let disk = prepared.copy();
            let first = disk.calls();
            self.copy(&disk).map_err(|error| unprepared(&error))?;
            (first, disk.calls())
        };
        let mut failures = Failures::default();
        for (at, errno) in (0..end - first).flat_map(|at| [(at, 5), (at, 28)]) {
            let disk = prepared.copy();
            disk.arm(Some(Fault::Fails {
                at: disk.calls() + at,
                errno,
                for_good: false,
            }));
            let copied = self.copy(&disk);
            disk.arm(None);
            failures.runs += 1;
            let within = |violation: Violation| {
                violation.within(format!("{}, call {at} fails with {errno}", self.name))
            };
            unwinding(|| self.after_failure(&disk, copied, &original, at)).map_err(within)?;
            failures.checks += 1;
        }
        Ok(failures)
    }

    fn after_failure(
        &self,
        disk: &SimulatedDisk,
        copied: Result<(), CopyError>,
        original: &Arc<Original>,
        seed: u64,
    ) -> Result<(), Violation> {
        if let Err(error) = copied {
            let target = directory(disk, TARGET).and_then(|target| target.entries());
            let left = target.map_err(|error| unprepared(&error))?;
            if !left.is_empty() {
                let what = format!("{error}, and {left:?} is left");
                return Err(Violation::new(Promise::CopiesWhole, what));
            }
            self.copy(disk)
                .map_err(|error| Violation::new(Promise::GoesOn, error.to_string()))?;
        }
        let expected = Expectation {
            original: Arc::clone(original),
            done: true,
        };
        self.check(&disk.copy(), &expected, seed)
    }
}

impl Subject for Copying {
    type Expectation = Expectation;

    fn name(&self) -> &str {
        self.name
    }

    /// On a disk of its own, since nothing of the other one is needed.
    fn run(&self, _disk: SimulatedDisk) -> Result<Vec<Trail<Expectation>>, Violation> {
        let (disk, original) = self.prepared()?;
        let first = disk.operations();
        disk.record();
        self.copy(&disk)
            .map_err(|error| Violation::new(Promise::FailsForAReason, error.to_string()))?;
        let expected = |done| Expectation {
            original: Arc::clone(&original),
            done,
        };
        Ok(vec![Trail {
            moments: disk.moments(),
            end: disk,
            stages: vec![Stage {
                first,
                during: expected(false),
                after: expected(true),
            }],
        }])
    }

    /// A copy that was cut off before it made anything is made again.
    fn recover(&self, disk: &SimulatedDisk) {
        let _ = self.copy(disk);
    }

    fn check(
        &self,
        disk: &SimulatedDisk,
        expected: &Expectation,
        seed: u64,
    ) -> Result<(), Violation> {
        check::check(self, disk, &expected.original, expected.done, seed)
    }

    /// A disk that lies may take anything; that nothing panics is seen by whoever calls.
    fn survives(&self, disk: &SimulatedDisk, _expected: &Expectation) -> Result<(), Violation> {
        let _ = self.copy(disk);
        Ok(())
    }
}

fn directory(disk: &SimulatedDisk, name: &str) -> io::Result<Arc<dyn Directory>> {
    disk.root().directory(name)
}

/// Syncs all that is in a directory.
fn sync_all(directory: &Arc<dyn Directory>) -> io::Result<()> {
    for entry in directory.entries()? {
        let name = entry.name.to_string_lossy();
        if entry.kind == EntryKind::Directory {
            sync_all(&directory.directory(&name)?)?;
        } else {
            directory.edit(&name)?.sync_all()?;
        }
    }
    directory.sync()
}

fn in_copy(source: io::Error) -> CopyError {
    use ondisk_engine::felix::error::StorageError;
    CopyError::Storage(StorageError::Io {
        source,
        path: "disk".into(),
        operation: "open",
    })
}

fn unprepared(error: &dyn std::fmt::Display) -> Violation {
    Violation::new(Promise::FailsForAReason, format!("preparing: {error}"))
}
