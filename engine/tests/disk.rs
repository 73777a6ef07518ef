//! The disk traits, held against the same expectations on the operating system's files and in memory; and what only the
//! former has: links, FIFOs, and locks between processes.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{
    self, Directory, EntryKind, File, Replace, is_irregular, locked, read_exact_at, write_all_at,
};
use tempfile::TempDir;

/// Does the same to an empty directory of each kind.
fn on_both(test: impl Fn(&str, &dyn Directory)) {
    let place = TempDir::new().expect("a directory");
    test(
        "real",
        &*RealDirectory::open(place.path()).expect("it opens"),
    );
    test("memory", &MemoryDirectory::new("memory"));
}

fn write(directory: &dyn Directory, name: &str, bytes: &[u8]) -> Arc<dyn File> {
    let file = directory.create(name).expect("the name is free");
    write_all_at(&*file, bytes, 0).expect("there is room");
    file
}

fn read(directory: &dyn Directory, name: &str) -> Vec<u8> {
    let file = directory.file(name).expect("it is there");
    let len = file.stat().expect("it is open").len;
    let mut bytes = vec![0; usize::try_from(len).expect("small")];
    read_exact_at(&*file, &mut bytes, 0).expect("it can be read");
    bytes
}

fn names(directory: &dyn Directory) -> Vec<String> {
    let entries = directory.entries().expect("it lists");
    let mut names: Vec<String> = entries
        .into_iter()
        .map(|entry| entry.name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn kind<T>(result: io::Result<T>) -> io::ErrorKind {
    result.map(drop).expect_err("refused").kind()
}

#[test]
fn what_is_written_is_read() {
    on_both(|disk, directory| {
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
    on_both(|disk, directory| {
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
    on_both(|disk, directory| {
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
    on_both(|disk, directory| {
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
    on_both(|disk, directory| {
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
    assert!(
        !fs::metadata(path.join("plain"))
            .expect("left")
            .file_type()
            .is_fifo()
    );
}

#[test]
fn a_lock_keeps_a_second_one_out() {
    on_both(|disk, directory| {
        let inner = directory.create_directory("inner").expect("free");
        let lock = inner.lock().expect("nobody has it");
        let again = directory.directory("inner").expect("it is there");
        let refused = again.lock().expect_err("locked");
        let by = locked(&refused).unwrap_or_else(|| panic!("{disk}: {refused}"));
        if let Some(holder) = by.holder {
            assert_eq!(holder, std::process::id(), "{disk}");
        }
        let _other = directory.lock().expect("a lock is of one directory");
        drop(lock);
        let _lock = again.lock().expect("released");
    });
}

/// Not a test by itself: the other process of the next one.
#[test]
fn hold_a_lock() {
    let Ok(path) = std::env::var("ONDISK_TEST_LOCK") else {
        return;
    };
    let directory = RealDirectory::open(path).expect("it opens");
    let _lock = directory.lock().expect("nobody has it");
    // The test harness has begun a line.
    io::stdout().write_all(b"\nlocked\n").expect("a pipe");
    io::stdout().flush().expect("a pipe");
    // Until the other end is closed, or this process is killed.
    let _end = io::stdin().read_line(&mut String::new());
}

#[test]
fn a_lock_of_another_process_ends_with_it() {
    let place = TempDir::new().expect("a directory");
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["hold_a_lock", "--exact", "--nocapture"])
        .env("ONDISK_TEST_LOCK", place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let said = lines.map_while(Result::ok).any(|line| line == "locked");
    assert!(said, "the other process has the lock");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    let refused = directory.lock().expect_err("locked");
    let by = locked(&refused).expect("because of that");
    if let Some(holder) = by.holder {
        assert_eq!(holder, child.id());
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let _lock = directory.lock().expect("the kernel released it");
}

#[test]
fn a_lock_is_of_what_has_the_path() {
    let place = TempDir::new().expect("a directory");
    let path = place.path().join("shard");
    fs::create_dir(&path).expect("a directory");
    let directory = RealDirectory::open(&path).expect("it opens");
    fs::rename(&path, place.path().join("moved")).expect("moved");
    assert!(directory.lock().is_err(), "nothing has the path");
    fs::create_dir(&path).expect("a directory");
    let refused = directory
        .lock()
        .expect_err("another directory has the path");
    assert!(locked(&refused).is_none(), "{refused}");
    assert!(
        refused.to_string().contains("another directory"),
        "{refused}"
    );
    let _lock = reopened(&path).lock().expect("the other one is free");
    let _lock = reopened(&place.path().join("moved"))
        .lock()
        .expect("a refused lock is none");
}

fn reopened(path: &Path) -> Arc<dyn Directory> {
    RealDirectory::open(path).expect("it opens")
}
