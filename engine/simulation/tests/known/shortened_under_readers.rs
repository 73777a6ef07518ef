//! Programs that map files which somebody else shortens: the next look at a page that is gone is a signal, and the process
//! dies of it, or it shows zeros and they are taken for records.
//! Here this is a limit of `ReadMode::Mapped`, which is for directories that nobody else writes; `ReadMode::Pread` makes an
//! error of it, and whoever opens the file anew is told in both modes (Felix 9).

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ondisk_engine::felix::log::{Bound, Config, Log, ReadMode};

use crate::bench::{
    append, append_next, as_written, config, environment, goes_on, records, reports,
};
use crate::build::{length, log_name};

/// Forty records of a page each, in segments of ten.
fn filled(path: &Path, read_mode: ReadMode) -> Log {
    let config = Config {
        segment_size_bytes: 45_000,
        read_mode,
        ..config()
    };
    let log = Log::open_with(path, config, &environment()).expect("it opens");
    for _ in 0..40 {
        append(&log, &[b'x'; 4096]).expect("the disk works");
    }
    log
}

fn shorten(path: &Path, id: u64, length: u64) {
    let file = File::options().write(true).open(path.join(log_name(id)));
    file.and_then(|file| file.set_len(length))
        .expect("a foreign hand");
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    (place, path)
}

#[test]
fn pread_makes_an_error_of_a_file_that_was_shortened() {
    for (id, first) in [(0, 0), (3, 30)] {
        let (_place, path) = place();
        let log = filled(&path, ReadMode::Pread);
        let mut read = log.read(first, Bound::Tail).expect("it is there");
        let record = read.next().expect("it reads").expect("a record");
        let kept = record.keep();
        shorten(&path, id, 100);
        let mut read = log.read(first, Bound::Tail).expect("it is there");
        read.next().expect_err("the record is gone");
        log.read_range(first, u64::MAX)
            .expect_err("the records are gone");
        assert_eq!(kept.payload(), [b'x'; 4096], "what was read stays");
        // The others are as they were.
        let sound = log.read_range(10, 1).expect("it reads");
        assert_eq!(sound[0].offset(), 10);
    }
}

#[test]
fn a_mapping_that_is_made_later_is_refused() {
    let (_place, path) = place();
    let log = filled(&path, ReadMode::Mapped);
    shorten(&path, 1, 100);
    let mut read = log.read(10, Bound::Tail).expect("it is there");
    read.next()
        .expect_err("the file is shorter than the log knows");
    let sound = log.read_range(20, 1).expect("it reads");
    assert_eq!(sound[0].offset(), 20);
}

#[test]
fn the_next_open_names_what_was_shortened() {
    let (_place, path) = place();
    let log = Log::open_with(&path, config(), &environment()).expect("it opens");
    append_next(&log, 4).expect("the disk works");
    log.close().expect("it closes");
    drop(log);
    shorten(&path, 0, length(2));
    let log = Log::open_with(&path, config(), &environment()).expect("it opens");
    assert_eq!(reports(&log), ["short_of_mark"]);
    assert!(log.recovered().may_have_lost_acknowledged());
    assert_eq!(records(&log), as_written(0..2));
    let directory = ondisk_engine::disk::real::RealDirectory::open(&path).expect("it opens");
    goes_on("shortened", &(directory as _), &config(), log);
}

/// The limit itself, so that nobody believes it away.
#[cfg(target_os = "linux")]
mod limit {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::Signal;

    use super::{Bound, ReadMode, filled, fs, place, shorten};
    use crate::process::{self, Other};

    #[test]
    #[ignore = "the other process of the test below"]
    fn read_what_is_mapped() {
        let Some(path) = process::place() else { return };
        let log = filled(&path, ReadMode::Mapped);
        let mut read = log.read(10, Bound::Tail).expect("it is there");
        let kept = read.next().expect("it reads").expect("a record").keep();
        process::say("mapped");
        process::wait();
        let sum: u64 = kept.payload().iter().map(|&byte| u64::from(byte)).sum();
        process::say(&sum.to_string());
    }

    #[test]
    fn a_page_that_is_mapped_and_gone_is_a_signal() {
        for is_shortened in [false, true] {
            let (_place, path) = place();
            fs::create_dir(&path).expect("a directory");
            let test = "shortened_under_readers::limit::read_what_is_mapped";
            let mut other = Other::start(test, &path);
            other.has_said("mapped");
            if is_shortened {
                shorten(&path, 1, 0);
            }
            other.goes_on();
            if !is_shortened {
                other.has_said(&(4096 * u64::from(b'x')).to_string());
            }
            let ended = other.end();
            let died_of = is_shortened.then(|| Signal::BUS.as_raw());
            assert_eq!(ended.signal(), died_of, "{ended}");
        }
    }
}
