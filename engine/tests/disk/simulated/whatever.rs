//! What holds after a crash, whatever was done.

use std::collections::BTreeSet;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use proptest::prelude::*;

use super::same::{Op, Side, list, op};
use super::synced;

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_readers_see_is_one_of_the_disks_and_the_only_one_once_it_is_synced(
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let disk = SimulatedDisk::new();
        let mut side = Side::new(disk.root());
        for op in &ops {
            let _done = side.apply(op);
        }
        let left = |disk: &SimulatedDisk| -> BTreeSet<u64> {
            let seeds = 0..200;
            seeds.map(|seed| disk.after(Model::PowerCut, seed).fingerprint()).collect()
        };
        assert!(left(&disk).contains(&disk.fingerprint()));
        sync_all(&*side.root);
        assert_eq!(left(&disk), [disk.fingerprint()].into());
    }

    #[test]
    fn no_file_is_lost_or_doubled_whatever_is_renamed(
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let disk = SimulatedDisk::new();
        let mut side = Side::new(disk.root());
        for (number, name) in ["c", "d", "a", "b"].into_iter().enumerate() {
            let directory = side.directory(if number < 2 { 0 } else { 1 });
            let _file = synced(&*directory, name, &[u8::try_from(number).expect("small")]);
            if number == 1 {
                side.root.create_directory("a").expect("free");
                side.root.create_directory("b").expect("free");
            }
        }
        sync_all(&*side.root);
        for op in ops.iter().filter(|op| is_of_names(op)) {
            let _done = side.apply(op);
        }
        let there = |disk: &SimulatedDisk| -> Vec<Vec<u8>> {
            let mut found = Vec::new();
            list(&*disk.root(), "", &mut found);
            found.into_iter().map(|it| it.1).filter(|bytes| !bytes.is_empty()).collect()
        };
        let now = there(&disk);
        for seed in 0..50 {
            let left = there(&disk.after(Model::PowerCut, seed));
            let count = |bytes| left.iter().filter(|&it| it == bytes).count();
            for bytes in &left {
                assert_eq!(count(bytes), 1, "{seed}: {bytes:?} of {left:?}");
            }
            for bytes in &now {
                assert_eq!(count(bytes), 1, "{seed}: {bytes:?} of {left:?}");
            }
        }
    }
}

/// Whether nothing is synced, and no bytes are written.
fn is_of_names(op: &Op) -> bool {
    matches!(
        op,
        Op::Rename(..) | Op::CreateDirectory(..) | Op::RemoveDirectory(..) | Op::Unlink(..)
    )
}

fn sync_all(directory: &dyn Directory) {
    for name in crate::names(directory) {
        match directory.directory(&name) {
            Ok(inner) => sync_all(&*inner),
            Err(_) => {
                let file = directory.file(&name).expect("a file");
                file.sync_data().expect("a sync");
            }
        }
    }
    directory.sync().expect("a sync");
}
