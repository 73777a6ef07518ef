//! Files of unknown layout that are taken over (Felix 11.8): what they say is never lost.

use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{Directory, write_all_at};
use ondisk_engine::felix::store::StoreConfig;

use crate::faults::{Act, at_every_operation, open_on};
use crate::world::*;

const THEIRS: &[u8] = b"{ \"id\": \"7\" }";

fn adopting() -> StoreConfig {
    let mut config = config();
    config.adopt = true;
    config
}

#[test]
fn each_is_kept_under_a_name_of_its_own() {
    let root = memory();
    for number in 0..3 {
        let theirs = format!("another build, {number}");
        root.put("registration", MemoryFile::of(theirs.as_bytes()));
        let store = open(&root, adopting());
        let kept_as = &store.started().adopted[0].kept_as;
        assert_eq!(*kept_as, format!("registration.adopted-{number}"));
        store.register(7).expect("it is ours now");
        store.shutdown().expect("a clean end");
    }
    for number in 0..3 {
        let kept = bytes(&*root, &format!("registration.adopted-{number}"));
        assert_eq!(kept, Some(format!("another build, {number}").into_bytes()));
    }
    // They are told of, and hinder nothing.
    let store = open(&root, config());
    assert_eq!(store.started().foreign.len(), 3);
    assert_eq!(store.started().registration, Some(7));
}

#[test]
fn a_take_over_that_is_cut_off_or_fails_anywhere_loses_none() {
    fn put(directory: &dyn Directory, name: &str) {
        let file = directory.create(name).expect("it is free");
        write_all_at(&*file, THEIRS, 0).expect("a write");
        file.sync_all().expect("a sync");
        directory.sync().expect("a sync");
    }
    fn prepare() -> SimulatedDisk {
        let disk = SimulatedDisk::new();
        put(&*disk.root(), "storage-id");
        put(&*disk.root(), "registration");
        let markers = disk
            .root()
            .create_directory(".streams")
            .expect("it is free");
        put(&*markers, &orders().marker_name());
        disk.root().sync().expect("a sync");
        disk
    }
    let act: Act = |disk| {
        let store = open_on(disk, adopting())?;
        store.register(7)?;
        store.shutdown()
    };
    at_every_operation(prepare, act, |disk, done, what| {
        let root = disk.root();
        let markers = root.directory(".streams").expect(what);
        let marker = orders().marker_name();
        for (directory, name) in [
            (&root, "storage-id"),
            (&root, "registration"),
            (&markers, &*marker),
        ] {
            let there = [name.to_owned(), format!("{name}.adopted-0")]
                .map(|name| bytes(&**directory, &name).is_some_and(|bytes| bytes == THEIRS));
            assert_eq!(
                there.into_iter().filter(|&there| there).count(),
                1,
                "{what}"
            );
        }
        let store = open_on(disk, adopting()).expect(what);
        assert_eq!(store.started().registration.unwrap_or(7), 7, "{what}");
        assert!(!done || store.started().adopted.is_empty(), "{what}");
    });
}
