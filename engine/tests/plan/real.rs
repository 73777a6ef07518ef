//! Real files that are none: FIFOs, links, sparse ones.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::{Access, Mode};
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::Loaded;

use crate::build::segment;

/// To open it for reading waits for a writer, unless told not to.
fn make_fifo(path: &Path) {
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, path, fifo, 0o600.into(), 0).expect("a FIFO");
}

#[test]
fn real_files_that_are_none() {
    let temporary = tempfile::tempdir().expect("a directory");
    let path = temporary.path();
    let log = |id| path.join(SegmentFile::Log { id }.to_string());
    std::fs::write(log(0), &segment(0, 2).bytes).expect("a segment");
    let look = || {
        let shard =
            Shard::look(RealDirectory::open(path).expect("it opens"), None).expect("it lists");
        let scans = Scans::new(
            &shard,
            Access {
                mode: Mode::WindowedOnce,
                ..Access::default()
            },
        );
        let sidecars = Sidecars::load(&shard).expect("the sidecars can be read");
        open(&scans, &sidecars, LogKind::Stream, &Settings::default())
            .expect("it can be read")
            .category()
            .to_string()
    };
    assert_eq!(look(), "open_ok");

    make_fifo(&path.join("epochs"));
    assert_eq!(look(), "open_ok");
    make_fifo(&path.join("replica"));
    assert_eq!(look(), "refused(Io)");
    std::fs::remove_file(path.join("replica")).expect("it goes");

    std::os::unix::fs::symlink(log(0), log(1)).expect("a link");
    assert_eq!(look(), "refused(Io)");
    std::fs::remove_file(log(1)).expect("it goes");

    let sparse = std::fs::File::create(log(1)).expect("a segment");
    std::io::Write::write_all(&mut &sparse, &segment(2, 1).bytes).expect("its bytes");
    if sparse.set_len(1 << 40).is_ok() {
        assert_eq!(look(), "refused(RecordHeaderChecksum)");
    }
}

#[test]
fn what_is_no_regular_file_is_never_opened() {
    let temporary = tempfile::tempdir().expect("a directory");
    let path = temporary.path();
    std::fs::write(
        path.join(SegmentFile::Log { id: 0 }.to_string()),
        &segment(0, 2).bytes,
    )
    .expect("a segment");
    let fifo = path.join(Sidecar::Replica.file_name());
    make_fifo(&fifo);
    std::thread::scope(|scope| {
        // Waits until somebody opens the FIFO for reading.
        let writer = scope.spawn(|| std::fs::OpenOptions::new().write(true).open(&fifo));
        std::thread::sleep(Duration::from_millis(50));
        let shard =
            Shard::look(RealDirectory::open(path).expect("it opens"), None).expect("it lists");
        let sidecars = Sidecars::load(&shard).expect("the sidecars can be read");
        assert_eq!(sidecars.replica, Loaded::Irregular);
        std::thread::sleep(Duration::from_millis(50));
        assert!(!writer.is_finished(), "the writer was let go");
        let _reader = std::fs::File::open(&fifo).expect("it opens");
        writer.join().expect("no panic").expect("it opens");
    });
}

#[test]
fn a_stray_name_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;

    let temporary = tempfile::tempdir().expect("a directory");
    let path = temporary.path();
    let stray = OsStr::from_bytes(b"\xff.log");
    // Some file systems refuse such names.
    if std::fs::write(path.join(stray), b"").is_err() {
        return;
    }
    std::fs::write(path.join(OsStr::from_bytes(b"\xff")), b"").expect("a file");
    let shard = Shard::look(RealDirectory::open(path).expect("it opens"), None).expect("it lists");
    let foreign: Vec<&OsStr> = shard
        .foreign()
        .iter()
        .map(|foreign| foreign.name.as_os_str())
        .collect();
    assert_eq!(foreign, [stray]);
    assert_eq!(shard.unknown().len(), 1);
}
