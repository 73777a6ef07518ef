//! Each kind of call alone.

use std::io;

use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{Directory, Replace};

use super::{disk, synced};

pub type Act = fn(&dyn Directory) -> io::Result<()>;

/// Each kind of call alone, on a disk with the file `file` of four bytes, the empty `other` and the directory `inner`. What
/// must be open for it is opened first, so that of each the last call is the one it is named for.
pub const ACTS: [(&str, Act); 20] = [
    ("open", |root| root.file("file").map(drop)),
    ("edit", |root| root.edit("file").map(drop)),
    ("open directory", |root| root.directory("inner").map(drop)),
    ("create", |root| root.create("new").map(drop)),
    ("create directory", |root| {
        root.create_directory("new").map(drop)
    }),
    ("rename", |root| {
        root.rename("file", root, "new", Replace::No)
    }),
    ("unlink", |root| root.unlink("file")),
    ("remove directory", |root| root.remove_directory("inner")),
    ("sync directory", |root| root.sync()),
    ("list", |root| root.entries().map(drop)),
    ("stat", |root| root.stat("file").map(drop)),
    ("lock", |root| root.lock().map(drop)),
    ("read", |root| {
        root.file("file")?.read_at(&mut [0; 4], 0).map(drop)
    }),
    ("write", |root| {
        root.edit("file")?.write_at(b"1234", 0).map(drop)
    }),
    ("lengthen", |root| root.edit("file")?.set_len(10)),
    ("cut", |root| root.edit("file")?.set_len(1)),
    ("sync", |root| root.edit("file")?.sync_data()),
    ("allocate", |root| root.edit("file")?.allocate(10)),
    ("share", |root| {
        let (file, other) = (root.file("file")?, root.edit("other")?);
        other.clone_of(&*file).map(drop)
    }),
    ("owner", |root| {
        let (file, other) = (root.file("file")?, root.edit("other")?);
        other.take_owner_of(&*file)
    }),
];

pub fn prepared() -> SimulatedDisk {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", b"1234");
    let _file = synced(&*root, "other", b"");
    let _directory = root.create_directory("inner").expect("free");
    disk
}
