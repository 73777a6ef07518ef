//! Power that goes at every operation of an act.

use std::collections::HashSet;
use std::sync::Arc;

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::disk::{Directory, EntryKind};
use ondisk_engine::felix::error::StorageError;

/// Disks that are made of one power cut.
const SEEDS: u64 = 12;

/// A disk as it is found when power comes back.
pub struct Found<'a, T> {
    /// What the act was told before power went.
    pub told: &'a T,
    /// Whether the act came to its end.
    pub finished: bool,
    /// For messages.
    pub place: String,
    disk: SimulatedDisk,
}

impl<T> Found<'_, T> {
    /// The directory of the shard, on a disk of its own each time.
    pub fn directory(&self) -> Arc<dyn Directory> {
        self.disk.copy().root()
    }
}

/// Makes all of it durable.
pub fn settle(directory: &dyn Directory) {
    for entry in directory.entries().expect("a list") {
        let name = entry.name.into_string().expect("UTF-8");
        match entry.kind {
            EntryKind::Directory => settle(&*directory.directory(&name).expect("it is there")),
            _ => {
                let file = directory.file(&name).expect("it is there");
                file.sync_all().expect("it is synced");
            }
        }
    }
    directory.sync().expect("it is synced");
}

/// The disks that may be found if power goes now.
pub fn found(disk: &SimulatedDisk) -> impl Iterator<Item = SimulatedDisk> {
    (0..SEEDS).map(|seed| disk.after(Model::PowerCut, seed))
}

/// Runs `act` on what `prepare` leaves, once for each of its operations, with power cut there. `check` gets each disk that
/// may be found then. What the act notes in its second argument is what its caller was told.
pub fn cut_everywhere<T: Default>(
    prepare: impl Fn(&Arc<dyn Directory>),
    act: impl Fn(&Arc<dyn Directory>, &mut T) -> Result<(), StorageError>,
    mut check: impl FnMut(&Found<'_, T>),
) {
    let prepared = SimulatedDisk::new();
    prepare(&prepared.root());
    settle(&*prepared.root());
    let mut met = HashSet::new();
    for at in 0.. {
        let disk = prepared.copy();
        disk.arm(Some(Fault::PowerCut {
            at: disk.operations() + at,
        }));
        let mut told = T::default();
        let finished = act(&disk.root(), &mut told).is_ok();
        for disk in found(&disk) {
            if met.insert((at, disk.fingerprint())) {
                check(&Found {
                    told: &told,
                    finished,
                    place: format!("power cut at operation {at}"),
                    disk,
                });
            }
        }
        if finished {
            assert!(at > 5, "it hardly does anything");
            return;
        }
    }
}
