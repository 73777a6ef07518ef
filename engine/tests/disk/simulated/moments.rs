//! Frozen copies, and what belongs to a process and not to the disk.

use ondisk_engine::disk::hooked::Call;
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::disk::{Replace, locked, read_exact_at};

use super::{EIO, disk, put, seen, synced, tree};
use crate::{read, write};

#[test]
fn the_disk_is_kept_ahead_of_each_operation() {
    let (disk, root) = disk();
    let _before = root.create("before").expect("free");
    disk.record();
    let file = write(&*root, "file", b"1");
    file.set_len(0).expect("a cut");
    file.allocate(100).expect("room");
    let _looks = (
        file.stat(),
        root.entries(),
        root.stat("file"),
        root.file("x"),
    );
    let _fails = (root.create("file"), root.unlink("none"));
    file.sync_data().expect("a sync");
    root.rename("file", &*root, "moved", Replace::No)
        .expect("free");
    root.sync().expect("a sync");
    let inner = root.create_directory("inner").expect("free");
    root.remove_directory("inner").expect("empty");
    root.unlink("moved").expect("a file");
    drop((inner, file));

    let moments = disk.moments();
    let told: Vec<_> = moments.iter().map(|it| (it.call, &*it.name)).collect();
    let expected = [
        (Call::Create, "file"),
        (Call::Write, "file"),
        (Call::SetLen, "file"),
        (Call::Allocate, "file"),
        (Call::SyncFile, "file"),
        (Call::Rename, "moved"),
        (Call::SyncDirectory, ""),
        (Call::Create, "inner"),
        (Call::RemoveDirectory, "inner"),
        (Call::Unlink, "moved"),
    ];
    assert_eq!(told, expected);
    let numbers: Vec<u64> = moments.iter().map(|it| it.at).collect();
    assert_eq!(numbers, (1..11).collect::<Vec<_>>());
    assert_eq!(disk.operations(), 11);
    let trees: Vec<_> = moments.iter().map(|it| tree(&*it.disk.root())).collect();
    assert_eq!(
        trees[..3],
        [
            vec!["before="],
            vec!["before=", "file="],
            vec!["before=", "file=1"]
        ]
    );
    assert_eq!(trees[5], ["before=", "file="]);
    assert_eq!(trees[6], ["before=", "moved="]);
    disk.record();
    assert!(disk.moments().is_empty(), "from now on");
}

#[test]
fn a_moment_is_what_a_power_cut_there_leaves() {
    let act = |disk: &SimulatedDisk| -> std::io::Result<()> {
        let root = disk.root();
        let file = root.create("file")?;
        file.write_at(&[b'x'; 2000], 0)?;
        file.sync_data()?;
        file.write_at(b"more", 1998)?;
        root.rename("file", &*root, "moved", Replace::Yes)?;
        root.sync()
    };
    let disk = SimulatedDisk::new();
    disk.record();
    act(&disk).expect("no fault");
    for moment in disk.moments() {
        let cut = SimulatedDisk::new();
        cut.arm(Some(Fault::PowerCut { at: moment.at }));
        assert!(act(&cut).is_err());
        assert_eq!(cut.is_dirty(), moment.disk.is_dirty());
        for seed in 0..100 {
            let one = cut.after(Model::PowerCut, seed).fingerprint();
            let other = moment.disk.after(Model::PowerCut, seed).fingerprint();
            assert_eq!(one, other, "{moment:?}");
        }
    }
}

#[test]
fn a_copy_is_a_disk_of_its_own_with_what_is_not_synced() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"old");
    put(&*file, b"new", 0);
    let _lock = root.lock().expect("free");
    disk.arm(Some(Fault::Fails {
        at: 0,
        errno: EIO,
        for_good: true,
    }));
    let copy = disk.copy();
    let found = seen(&copy, |root| read(root, "file"));
    assert_eq!(found, [b"old".to_vec(), b"new".to_vec()].into());
    let other = copy.root();
    let _lock = other.lock().expect("locks are of a process");
    put(&*other.edit("file").expect("there"), b"own", 0);
    other.unlink("file").expect("a file");
    disk.arm(None);
    assert_eq!(read(&*root, "file"), b"new");
    assert!(tree(&*other).is_empty());
}

#[test]
fn a_crash_ends_locks_and_faults() {
    let (disk, root) = disk();
    let lock = root.lock().expect("free");
    assert!(locked(&root.lock().expect_err("taken")).is_some());
    disk.arm(Some(Fault::PowerCut { at: 0 }));
    assert!(root.lock().is_err() && root.entries().is_err());
    let after = disk.after(Model::PowerCut, 0).root();
    let _lock = after.lock().expect("free");
    drop(lock);
    disk.arm(None);
    let _lock = root.lock().expect("free again");
}

#[test]
fn an_open_file_outlives_its_name() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"bytes");
    let other = synced(&*root, "other", b"other");
    root.unlink("file").expect("a file");
    root.rename("other", &*root, "file", Replace::No)
        .expect("free");
    let third = write(&*root, "third", b"third");
    root.rename("third", &*root, "file", Replace::Yes)
        .expect("free");
    root.sync().expect("a sync");
    for (file, bytes) in [(&file, b"bytes"), (&other, b"other"), (&third, b"third")] {
        let mut found = [0; 5];
        read_exact_at(&**file, &mut found, 0).expect("open");
        assert_eq!(&found, bytes);
        put(&**file, b"again", 0);
        file.sync_data().expect("a sync");
    }
    assert_eq!(seen(&disk, tree).len(), 1);
}

#[test]
fn a_rename_of_another_disk_takes_nothing() {
    let (_disk, root) = disk();
    let (_other, into) = self::disk();
    let _file = root.create("file").expect("free");
    let moved = root.rename("file", &*into, "file", Replace::No);
    assert_eq!(crate::kind(moved), std::io::ErrorKind::CrossesDevices);
}
