//! Damage that a disk does besides losing power.

use std::collections::BTreeSet;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::simulated::{Model, SimulatedDisk};

use super::{SEEDS, disk, put, synced};
use crate::read;

fn disks(disk: &SimulatedDisk, model: Model) -> impl Iterator<Item = SimulatedDisk> {
    (0..SEEDS).map(move |seed| disk.after(model, seed))
}

/// A file of three synced sectors that was made longer by two.
fn appended() -> SimulatedDisk {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &[b'o'; 3 * 512]);
    put(&*file, &[b'n'; 2 * 512], 3 * 512);
    disk
}

fn sectors(root: &dyn Directory) -> Vec<Vec<u8>> {
    let bytes = read(root, "file");
    bytes.chunks(512).map(<[u8]>::to_vec).collect()
}

#[test]
fn stale_blocks_are_of_files_that_are_gone() {
    let disk = {
        let (disk, root) = disk();
        let gone: Vec<u8> = (b'0'..=b'9').flat_map(|digit| [digit; 512]).collect();
        let _file = synced(&*root, "gone", &gone);
        let _file = synced(&*root, "there", &[b't'; 512]);
        let file = synced(&*root, "file", &[b'o'; 3 * 512]);
        root.unlink("gone").expect("a file");
        put(&*file, &[b'n'; 2 * 512], 3 * 512);
        disk
    };
    let mut found = BTreeSet::new();
    for after in disks(&disk, Model::StaleBlocks) {
        let sectors = sectors(&*after.root());
        assert!(
            sectors
                .iter()
                .all(|it| it.iter().all(|&byte| byte == it[0]))
        );
        found.insert(sectors.iter().map(|it| it[0]).collect::<Vec<_>>());
        assert_eq!(read(&*after.root(), "there"), [b't'; 512]);
    }
    // Those in the same place of their file.
    let mut expected = BTreeSet::from([b"ooo".to_vec()]);
    for fourth in [0, b'n', b'3'] {
        for fifth in [0, b'n', b'4'] {
            expected.insert([&b"ooo"[..], &[fourth, fifth]].concat());
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn stale_blocks_are_of_what_was_cut_or_replaced_too() {
    let (disk, root) = disk();
    let cut = synced(&*root, "cut", b"cut off");
    cut.set_len(0).expect("a cut");
    let _file = synced(&*root, "new", b"replacement");
    let _file = synced(&*root, "old", b"replaced");
    super::rename(&*root, "new", "old");
    let file = synced(&*root, "file", b"");
    put(&*file, b"1234", 0);
    let found: BTreeSet<Vec<u8>> = disks(&disk, Model::StaleBlocks)
        .map(|after| read(&*after.root(), "file"))
        .collect();
    let expected = [&b""[..], b"\0\0\0\0", b"1234", b"cut ", b"repl"];
    assert_eq!(found, expected.map(<[u8]>::to_vec).into());
}

#[test]
fn without_anything_gone_there_is_nothing_stale() {
    let disk = appended();
    let plain: BTreeSet<_> = disks(&disk, Model::PowerCut)
        .map(|it| it.fingerprint())
        .collect();
    let stale: BTreeSet<_> = disks(&disk, Model::StaleBlocks)
        .map(|it| it.fingerprint())
        .collect();
    assert_eq!(plain, stale);
}

#[test]
fn garbage_is_in_sectors_that_were_not_synced() {
    let disk = appended();
    let mut damaged = [0; 5];
    for after in disks(&disk, Model::Garbage) {
        for (sector, count) in sectors(&*after.root()).iter().zip(&mut damaged) {
            let is_whole = [b'o', b'n', 0].iter().any(|byte| *sector == [*byte; 512]);
            *count += u64::from(!is_whole);
        }
        assert!(after.rotted().is_empty());
    }
    assert_eq!(damaged[..3], [0; 3]);
    assert!(
        damaged[3..].iter().all(|&count| count > SEEDS / 10),
        "{damaged:?}"
    );
}

#[test]
fn a_byte_that_was_synced_and_not_changed_stays() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"synced, 1");
    put(&*file, b"synced, 2 and more", 0);
    let mut found = BTreeSet::new();
    for after in disks(&disk, Model::Garbage) {
        let bytes = read(&*after.root(), "file");
        assert_eq!(bytes[..8], *b"synced, ");
        found.insert(bytes[8]);
    }
    assert!(
        found.len() > 50,
        "of the byte that changed nothing is known"
    );
}

#[test]
fn bit_rot_flips_one_bit_that_was_synced_and_tells_where() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    let files = [
        synced(&*inner, "deep", &[0; 700]),
        synced(&*root, "file", &[b'o'; 600]),
    ];
    put(&*files[1], b"unsynced", 600);
    put(&*files[1], b"unsynced", 0);
    let mut rotted = BTreeSet::new();
    for after in disks(&disk, Model::BitRot) {
        let found = after.rotted();
        let root = after.root();
        let deep = read(&*root.directory("inner").expect("there"), "deep");
        let file = read(&*root, "file");
        let flipped = |bytes: &[u8], was: u8| -> Vec<(u64, u32)> {
            let differs = bytes
                .iter()
                .zip(0_u64..)
                .map(|(&byte, at)| (at, (byte ^ was).count_ones()));
            differs
                .filter(|it| it.1 > 0 && it.0 >= 8 && it.0 < 600 || it.1 > 0 && was == 0)
                .collect()
        };
        let expected = match &found[..] {
            [] => (vec![], vec![]),
            [(path, at)] if path == "inner/deep" => (vec![(*at, 1)], vec![]),
            [(path, at)] if path == "file" => (vec![], vec![(*at, 1)]),
            other => panic!("{other:?}"),
        };
        assert_eq!((flipped(&deep, 0), flipped(&file, b'o')), expected);
        rotted.extend(found);
        // And so it stays.
        let again = after.after(Model::PowerCut, 0);
        assert_eq!(again.fingerprint(), after.fingerprint());
        assert_eq!(again.rotted(), after.rotted());
    }
    assert!(rotted.len() > 800, "only {} places", rotted.len());
    assert!(
        rotted
            .iter()
            .all(|(path, at)| path != "file" || (8..600).contains(at))
    );
}

#[test]
fn a_hostile_disk_does_each_of_them_and_all_together() {
    let disk = {
        let (disk, root) = disk();
        let _file = synced(&*root, "gone", &[b's'; 5 * 512]);
        root.unlink("gone").expect("a file");
        let file = synced(&*root, "file", &[b'o'; 3 * 512]);
        root.sync().expect("a sync");
        put(&*file, &[b'n'; 2 * 512], 3 * 512);
        disk
    };
    let mut kinds = BTreeSet::new();
    for after in disks(&disk, Model::Hostile) {
        let new = sectors(&*after.root()).split_off(3);
        let is_stale = new.iter().any(|it| *it == [b's'; 512]);
        let plain = [b's', b'n', 0];
        let is_garbage = |it: &Vec<u8>| plain.iter().all(|byte| *it != [*byte; 512]);
        let is_garbage = new.iter().any(is_garbage);
        kinds.insert((is_stale, is_garbage, !after.rotted().is_empty()));
    }
    let single = [
        (true, false, false),
        (false, true, false),
        (false, false, true),
    ];
    for kind in single
        .into_iter()
        .chain([(true, true, true), (false, false, false)])
    {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    assert!(!kinds.contains(&(true, true, false)), "two of three");
}
