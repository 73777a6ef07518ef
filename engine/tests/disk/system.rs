//! Links, FIFOs, owners: what only the operating system has.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, EntryKind, Replace, is_irregular};
use tempfile::TempDir;

use crate::{kind, names, read, write};

#[test]
fn what_is_no_regular_file_is_never_opened() {
    let place = TempDir::new().expect("a directory");
    let outside = TempDir::new().expect("a directory");
    let secret = outside.path().join("secret");
    fs::write(&secret, b"secret").expect("a file");
    let at = |name: &str| place.path().join(name);
    symlink(&secret, at("link")).expect("a link");
    symlink(outside.path(), at("directory-link")).expect("a link");
    symlink("nowhere", at("dangling")).expect("a link");
    let fifo = Command::new("mkfifo").arg(at("fifo")).status();
    assert!(fifo.expect("mkfifo runs").success());
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket");
    fs::create_dir(at("directory")).expect("a directory");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    for name in [
        "link",
        "directory-link",
        "dangling",
        "fifo",
        "socket",
        "directory",
    ] {
        for opened in [directory.file(name), directory.edit(name)] {
            assert!(is_irregular(&opened.expect_err("no file")), "{name}");
        }
        assert_eq!(
            kind(directory.create(name)),
            io::ErrorKind::AlreadyExists,
            "{name}"
        );
    }
    for name in ["link", "directory-link", "dangling", "fifo", "socket"] {
        let opened = directory.directory(name);
        assert!(is_irregular(&opened.expect_err("no directory")), "{name}");
        directory
            .unlink(name)
            .expect("the name goes, not what it stands for");
    }
    assert_eq!(fs::read(&secret).expect("untouched"), b"secret");
    assert_eq!(fs::read_dir(outside.path()).expect("it lists").count(), 1);

    let memory = MemoryDirectory::new("memory");
    memory.put_irregular("link", EntryKind::Link);
    assert!(is_irregular(&memory.edit("link").expect_err("no file")));
    assert_eq!(kind(memory.create("link")), io::ErrorKind::AlreadyExists);
    memory.unlink("link").expect("a name");
}

#[test]
fn a_rename_takes_the_place_of_a_link() {
    let place = TempDir::new().expect("a directory");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    let _target = write(&*directory, "target", b"target");
    let _new = write(&*directory, "new", b"new");
    symlink("target", place.path().join("link")).expect("a link");
    let refused = directory.rename("new", &*directory, "link", Replace::No);
    assert_eq!(kind(refused), io::ErrorKind::AlreadyExists);
    directory
        .rename("new", &*directory, "link", Replace::Yes)
        .expect("replaced");
    assert_eq!(read(&*directory, "link"), b"new");
    assert_eq!(read(&*directory, "target"), b"target");
}

#[test]
fn owner_and_mode_are_taken() {
    let place = TempDir::new().expect("a directory");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    let old = write(&*directory, "old", b"");
    fs::set_permissions(place.path().join("old"), fs::Permissions::from_mode(0o4640))
        .expect("ours");
    let as_root =
        std::os::unix::fs::chown(place.path().join("old"), Some(4321), Some(1234)).is_ok();
    let new = write(&*directory, "new", b"");
    new.take_owner_of(&*old).expect("ours");
    let found = fs::metadata(place.path().join("new")).expect("it is there");
    assert_eq!(found.mode() & 0o7777, 0o640);
    if as_root {
        assert_eq!((found.uid(), found.gid()), (4321, 1234));
    }
    new.take_owner_of(&MemoryFile::default())
        .expect("it has no owner");
}

#[test]
fn directories_are_created_on_the_way() {
    let place = TempDir::new().expect("a directory");
    let path = place.path().join("a/b/c");
    let directory = RealDirectory::create_all(&path).expect("created");
    let _file = write(&*directory, "file", b"x");
    let again = RealDirectory::create_all(&path).expect("it is there");
    assert_eq!(names(&*again), ["file"]);
    let _file = write(&*directory, "plain", b"x");
    assert!(RealDirectory::create_all(path.join("plain")).is_err());
    assert!(RealDirectory::create_all(path.join("plain/below")).is_err());
    assert!(
        fs::metadata(path.join("plain"))
            .expect("left")
            .file_type()
            .is_file()
    );
}
