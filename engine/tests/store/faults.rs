//! Power cuts and errors at every operation of what a run does.

use ondisk::felix::name::ShardKey;
use ondisk::felix::name::Store::{Caches, Groups, Streams};
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::{Store, StoreConfig};

use crate::world::*;

/// Disks that are made of one power cut.
pub const SEEDS: u64 = 6;

/// `EIO`.
pub const BROKEN: i32 = 5;

pub fn open_on(disk: &SimulatedDisk, config: StoreConfig) -> Result<Store, StorageError> {
    Store::open_in(disk.root(), config)
}

pub fn other() -> ShardKey {
    ShardKey::new("acme", "default", "other", 0)
}

/// A data directory with the stream in incarnation 5, its group, a cache, and another stream that must survive.
pub fn prepared() -> SimulatedDisk {
    let disk = SimulatedDisk::new();
    let store = open_on(&disk, config()).expect("it opens");
    for shard in [0, 1] {
        let log = store
            .open_incarnation(Streams, &order(shard), 5)
            .expect("it opens");
        append(&log, b"five");
    }
    store
        .open_incarnation(Groups, &order(0), 5)
        .expect("it opens");
    store.shard_in(Caches, &order(0)).expect("it opens");
    append(&store.shard(&other()).expect("it opens"), b"other");
    store.shutdown().expect("a clean end");
    disk
}

/// What a run does; ends with the store gone in whatever way.
pub type Act = fn(&SimulatedDisk) -> Result<(), StorageError>;

/// Runs `act` on what `prepare` makes, with power cut at each of its operations, and once more with each call failing alone.
/// `check` gets what is left, and whether the act said that it was done.
pub fn at_every_operation(
    prepare: fn() -> SimulatedDisk,
    act: Act,
    check: impl Fn(&SimulatedDisk, bool, &str),
) {
    let (operations, calls) = {
        let disk = prepare();
        let (operations, calls) = (disk.operations(), disk.calls());
        act(&disk).expect("without a fault it is done");
        let done = (operations..disk.operations(), calls..disk.calls());
        check(&disk, true, "no fault");
        done
    };
    let (end, last) = (operations.end, calls.end);
    assert!(operations.clone().count() > 5, "it does something");
    for at in operations {
        let disk = prepare();
        disk.arm(Some(Fault::PowerCut { at }));
        let done = act(&disk).is_ok();
        for seed in 0..SEEDS {
            let after = disk.after(Model::PowerCut, seed);
            check(&after, done, &format!("cut at {at} of {end}, seed {seed}"));
        }
    }
    for at in calls {
        let disk = prepare();
        disk.arm(Some(Fault::Fails {
            at,
            errno: BROKEN,
            for_good: false,
        }));
        let done = act(&disk).is_ok();
        disk.arm(None);
        check(&disk, done, &format!("error at {at} of {last}"));
    }
}
