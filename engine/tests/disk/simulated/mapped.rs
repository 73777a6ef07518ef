//! Files that can be mapped.
#![cfg(target_os = "linux")]

use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::map::Map;

use super::{put, synced};
use crate::read;

#[test]
fn a_mapping_shows_what_is_written_later() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let file = synced(&*root, "file", &[b'a'; 5000]);
    let reader = root.file("file").expect("there");
    assert!(reader.descriptor().is_some());
    let map = Map::of(&*reader, 5000).expect("it maps");
    assert_eq!(*map, [b'a'; 5000]);
    put(&*file, b"b", 4999);
    put(&*file, b"more", 5000);
    assert_eq!(map[4998..], *b"ab");
    let longer = Map::of(&*reader, 5004).expect("it maps");
    assert_eq!(longer[4998..], *b"abmore");
    file.set_len(5000).expect("a cut");
    file.set_len(6000).expect("a hole");
    put(&*file, b"end", 5997);
    let whole = Map::of(&*reader, 6000).expect("it maps");
    assert_eq!(*whole, *read(&*root, "file"));
    root.unlink("file").expect("a file");
    root.sync().expect("a sync");
    assert_eq!(whole[5997..], *b"end", "what is mapped lives on");
}

#[test]
fn shared_blocks_are_shown() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let source = synced(&*root, "source", &[b'a'; 600]);
    let target = synced(&*root, "target", &[b'b'; 6000]);
    let _shown = target.descriptor().expect("mapped");
    assert!(target.clone_of(&*source).expect("one disk"));
    assert_eq!(*Map::of(&*target, 600).expect("it maps"), [b'a'; 600]);
    assert!(Map::of(&*target, 601).is_err());
}

#[test]
fn disks_made_of_it_have_mappings_of_their_own() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let file = synced(&*root, "file", b"old");
    let map = Map::of(&*file, 3).expect("it maps");
    for other in [disk.copy(), disk.after(Model::PowerCut, 1)] {
        let file = other.root().edit("file").expect("there");
        let theirs = Map::of(&*file, 3).expect("it maps");
        assert!(file.descriptor().is_some());
        put(&*file, b"new", 0);
        assert_eq!((&*map, &*theirs), (&b"old"[..], &b"new"[..]));
    }
}

#[test]
fn without_asking_there_is_nothing_to_map() {
    let disk = SimulatedDisk::new();
    let file = synced(&*disk.root(), "file", b"bytes");
    assert!(file.descriptor().is_none());
}

#[test]
fn no_two_disks_have_a_file_of_one_inode() {
    let inode = |disk: &SimulatedDisk| {
        let root = disk.root();
        let found = root.stat("file").expect("there").1.inode;
        let open = root
            .file("file")
            .expect("there")
            .stat()
            .expect("open")
            .inode;
        assert_eq!(found, open);
        found
    };
    let disk = SimulatedDisk::new();
    let _file = synced(&*disk.root(), "file", b"");
    let other = SimulatedDisk::new();
    let _file = synced(&*other.root(), "file", b"");
    let inodes = [inode(&disk), inode(&other), inode(&disk.copy())];
    assert_eq!(std::collections::BTreeSet::from(inodes).len(), 3);
    assert_eq!(inode(&disk), inodes[0]);
}
