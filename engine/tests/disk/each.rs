//! What holds on each disk.

use std::io;

use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{self, Directory, Replace, read_exact_at, write_all_at};
use tempfile::TempDir;

use crate::{kind, names, on_each, read, write};

#[test]
fn what_is_written_is_read() {
    on_each(|disk, directory| {
        let file = write(directory, "file", b"hello");
        write_all_at(&*file, b"there", 8).expect("a hole in front");
        assert_eq!(read(directory, "file"), b"hello\0\0\0there", "{disk}");
        file.set_len(4).expect("a cut");
        file.set_len(6).expect("a hole at the end");
        assert_eq!(read(directory, "file"), b"hell\0\0", "{disk}");
        file.allocate(1 << 16).expect("room");
        file.sync_data().expect("a device");
        file.sync_all().expect("a device");
        directory.sync().expect("a device");
        assert_eq!(
            file.stat().expect("open").len,
            6,
            "{disk}: reserved blocks are no bytes"
        );
        let again = directory.edit("file").expect("it is there");
        write_all_at(&*again, b"H", 0).expect("writable");
        assert_eq!(
            read(directory, "file"),
            b"Hell\0\0",
            "{disk}: two handles of one file"
        );
        let reader = directory.file("file").expect("it is there");
        let mut beyond = [0; 7];
        assert_eq!(
            kind(read_exact_at(&*reader, &mut beyond, 0)),
            io::ErrorKind::UnexpectedEof,
            "{disk}"
        );
        assert!(write_all_at(&*again, b"x", u64::MAX - 3).is_err(), "{disk}");
    });
}

#[test]
fn a_name_is_created_once() {
    on_each(|disk, directory| {
        let _file = write(directory, "file", b"first");
        let inner = directory.create_directory("directory").expect("free");
        let _file = write(&*inner, "inside", b"x");
        for taken in ["file", "directory"] {
            let exists = io::ErrorKind::AlreadyExists;
            assert_eq!(kind(directory.create(taken)), exists, "{disk} {taken}");
            assert_eq!(
                kind(directory.create_directory(taken)),
                exists,
                "{disk} {taken}"
            );
        }
        assert_eq!(read(directory, "file"), b"first", "{disk}: left alone");
        for missing in [directory.file("none"), directory.edit("none")] {
            assert_eq!(kind(missing), io::ErrorKind::NotFound, "{disk}");
        }
        assert_eq!(
            kind(directory.unlink("none")),
            io::ErrorKind::NotFound,
            "{disk}"
        );
        assert!(
            directory.unlink("directory").is_err(),
            "{disk}: not by that call"
        );
        let full = directory.remove_directory("directory");
        assert_eq!(kind(full), io::ErrorKind::DirectoryNotEmpty, "{disk}");
        inner.unlink("inside").expect("a file");
        directory.remove_directory("directory").expect("empty");
        assert!(
            directory.remove_directory("file").is_err(),
            "{disk}: no directory"
        );
        assert_eq!(names(directory), ["file"], "{disk}");
    });
}

#[test]
fn a_rename_replaces_when_it_may() {
    on_each(|disk, directory| {
        let inner = directory.create_directory("inner").expect("free");
        let old = write(directory, "old", b"old");
        let _new = write(directory, "new", b"new");
        let refused = directory.rename("new", directory, "old", Replace::No);
        assert_eq!(kind(refused), io::ErrorKind::AlreadyExists, "{disk}");
        assert_eq!(names(directory), ["inner", "new", "old"], "{disk}");
        directory
            .rename("new", directory, "old", Replace::Yes)
            .expect("replaced");
        assert_eq!(names(directory), ["inner", "old"], "{disk}");
        assert_eq!(read(directory, "old"), b"new", "{disk}");
        let mut kept = [0; 3];
        read_exact_at(&*old, &mut kept, 0).expect("still open");
        assert_eq!(
            &kept, b"old",
            "{disk}: a handle keeps the file that it opened"
        );
        directory
            .rename("old", &*inner, "moved", Replace::No)
            .expect("the name is free");
        assert_eq!(
            (names(directory), names(&*inner)),
            (vec!["inner".into()], vec!["moved".into()])
        );
        assert_eq!(
            kind(directory.rename("old", directory, "x", Replace::Yes)),
            io::ErrorKind::NotFound
        );
        let _file = write(directory, "file", b"");
        for replace in [Replace::Yes, Replace::No] {
            assert!(
                directory
                    .rename("file", directory, "inner", replace)
                    .is_err(),
                "{disk}"
            );
            assert!(
                directory
                    .rename("inner", directory, "file", replace)
                    .is_err(),
                "{disk}"
            );
        }
        directory
            .rename("inner", directory, "outer", Replace::No)
            .expect("a directory");
        let outer = directory.directory("outer").expect("renamed");
        assert_eq!(read(&*outer, "moved"), b"new", "{disk}");
        assert!(outer.path().ends_with("outer"), "{disk}");
    });
}

#[test]
fn a_directory_of_another_disk_takes_nothing() {
    let memory = MemoryDirectory::new("memory");
    let place = TempDir::new().expect("a directory");
    let real = RealDirectory::open(place.path()).expect("it opens");
    let _file = write(&memory, "file", b"");
    let _file = write(&*real, "file", b"");
    for result in [
        memory.rename("file", &*real, "other", Replace::Yes),
        real.rename("file", &memory, "other", Replace::Yes),
    ] {
        assert_eq!(kind(result), io::ErrorKind::CrossesDevices);
    }
}

#[test]
fn names_are_single_components() {
    on_each(|disk, directory| {
        let _inner = directory.create_directory("inner").expect("free");
        let _file = write(directory, "file", b"");
        for name in ["", ".", "..", "inner/file", "/tmp", "../file", "inner/"] {
            let refused = [
                kind(directory.create(name)),
                kind(directory.edit(name)),
                kind(directory.file(name)),
                kind(directory.stat(name)),
                kind(directory.directory(name)),
                kind(directory.create_directory(name)),
                kind(directory.rename("file", directory, name, Replace::Yes)),
                kind(directory.rename(name, directory, "file", Replace::Yes)),
            ];
            assert!(
                refused
                    .iter()
                    .all(|&kind| kind == io::ErrorKind::InvalidInput),
                "{disk} {name:?}: {refused:?}"
            );
            assert!(directory.unlink(name).is_err() && directory.remove_directory(name).is_err());
        }
    });
}

#[test]
fn a_copy_is_of_a_range_and_keeps_holes() {
    on_each(|disk, directory| {
        let source = write(directory, "source", b"0123456789");
        let far = 3 << 20;
        write_all_at(&*source, b"far", far).expect("a hole in front");
        source.set_len(far + 5_000_000).expect("a hole behind");
        let target = directory.create("target").expect("free");
        disk::copy(&*source, 4..far + 4_000_000, &*target).expect("copied");
        let (whole, copied) = (read(directory, "source"), read(directory, "target"));
        let end = usize::try_from(far).expect("small") + 4_000_000;
        assert!(whole[4..end] == copied[..], "{disk}");
        let short = disk::copy(&*source, 0..far + 5_000_001, &*target);
        assert_eq!(kind(short), io::ErrorKind::UnexpectedEof, "{disk}");
    });
}
