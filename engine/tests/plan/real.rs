//! Real files that are none: FIFOs, links, sparse ones.

use std::ffi::OsStr;

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::{Access, Mode};
use ondisk_engine::felix::shard::Shard;

use crate::build::segment;

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

    // The open of a FIFO for reading waits for a writer, unless it is told not to.
    let fifo = |name: &str| {
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path.join(name),
            rustix::fs::FileType::Fifo,
            0o600.into(),
            0,
        )
        .expect("a FIFO");
    };
    fifo("epochs");
    assert_eq!(look(), "open_ok");
    fifo("replica");
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
