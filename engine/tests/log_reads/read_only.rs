//! A log that is only looked at, while another process writes it.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{
    Bound, Config, Entry, FsyncMode, Log, ReadOnlyLog, Records, Retention,
};

use crate::bench::{Place, fill, payload, rest, small};

const LONG: Duration = Duration::from_secs(30);

fn config() -> Config {
    Config {
        fsync: FsyncMode::OnCommit,
        retention: Retention {
            bytes: Some(3000),
            interval: Duration::from_secs(3600),
            ..Retention::default()
        },
        ..small()
    }
}

/// What the other process does: a line is a command.
#[test]
#[ignore = "the other process of the tests below"]
fn other_process() {
    let path = std::env::var("ONDISK_TEST_LOG").expect("a directory");
    let log = Log::open(path, config()).expect("it opens");
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let mut words = line.split(' ');
        let command = words.next().expect("a command");
        let number: u64 = words
            .next()
            .map_or(0, |word| word.parse().expect("a number"));
        match command {
            "fill" => fill(&log, vec![100; usize::try_from(number).expect("few")]),
            "long" => fill(&log, [usize::try_from(number).expect("few")]),
            "truncate" => log.truncate(number).expect("it cuts"),
            "reset" => log.reset_to(number).expect("it begins anew"),
            "retain" => drop(log.retain().expect("it trims")),
            "roll" => log.roll().expect("it rolls"),
            "other" => {
                for _ in 0..number {
                    log.append(&[Entry::new(&[0xee; 100])]).expect("it appends");
                }
            }
            other => panic!("{other}?"),
        }
        log.sync().expect("it syncs");
        // Another file tells that it is done, so that nothing is read from a pipe that the test harness writes to.
        let path = std::env::var("ONDISK_TEST_DONE").expect("a file");
        let done = std::fs::OpenOptions::new().append(true).open(path);
        done.and_then(|mut file| file.write_all(b"."))
            .expect("it tells");
    }
    log.close().expect("it closes");
}

struct Other {
    child: Child,
    done: tempfile::NamedTempFile,
    sent: u64,
}

impl Other {
    fn at(path: &Path) -> Self {
        let done = tempfile::NamedTempFile::new().expect("a file");
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "read_only::other_process", "--ignored"])
            .env("ONDISK_TEST_LOG", path)
            .env("ONDISK_TEST_DONE", done.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        Self {
            child,
            done,
            sent: 0,
        }
    }

    /// Sends a command, without waiting.
    fn send(&mut self, command: &str) {
        self.sent += 1;
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        writeln!(stdin, "{command}").expect("it listens");
    }

    /// Sends a command and waits until it is done.
    fn tell(&mut self, command: &str) {
        self.send(command);
        let begun = Instant::now();
        while std::fs::metadata(self.done.path())
            .expect("it is there")
            .len()
            < self.sent
        {
            assert!(begun.elapsed() < LONG, "{command} takes too long");
            assert!(
                self.child.try_wait().expect("it can be asked").is_none(),
                "it ended at {command}"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ended = self.child.wait();
    }
}

fn reader(path: &Path) -> ReadOnlyLog {
    ReadOnlyLog::open(path, &config()).expect("it opens")
}

fn next(records: &mut Records) -> Option<u64> {
    let record = records.next().expect("it reads")?;
    Some(record.offset())
}

#[test]
fn what_another_process_appends_and_rolls() {
    let place = tempfile::tempdir().expect("a directory");
    let mut other = Other::at(place.path());
    other.tell("fill 3");
    let log = reader(place.path());
    assert_eq!((log.base(), log.tail()), (0, 3));
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    assert_eq!(rest(&mut records), [0, 1, 2]);
    other.tell("fill 40");
    assert_eq!(rest(&mut records), [0; 0], "nobody has looked");
    log.refresh().expect("it looks");
    assert_eq!(log.tail(), 43);
    assert_eq!(rest(&mut records).len(), 40);
    other.tell("long 200000");
    other.tell("roll");
    other.tell("fill 1");
    log.refresh().expect("it looks");
    assert_eq!(rest(&mut records), [43, 44]);
    assert!(log.read_range(45, 1).expect("it reads").is_empty());
}

#[test]
fn a_follower_of_another_process() {
    let place = tempfile::tempdir().expect("a directory");
    let mut other = Other::at(place.path());
    other.tell("fill 1");
    let log = reader(place.path());
    let mut follow = log.follow(0).expect("it is there");
    assert_eq!(follow.next().expect("it reads").offset(), 0);
    assert!(
        follow
            .next_timeout(Duration::from_millis(50))
            .expect("it reads")
            .is_none()
    );
    other.send("fill 100");
    for offset in 1..101 {
        let record = follow.next_timeout(LONG).expect("it reads");
        let record = record.expect("it is seen");
        assert_eq!(record.offset(), offset);
        assert_eq!(record.payload(), payload(offset, 100));
    }
}

#[test]
fn what_another_process_trims_and_cuts() {
    let place = tempfile::tempdir().expect("a directory");
    let mut other = Other::at(place.path());
    other.tell("fill 40");
    let log = reader(place.path());
    let mut old = log.read(2, Bound::Tail).expect("it is there");
    assert_eq!(next(&mut old), Some(2));
    other.tell("retain");
    log.refresh().expect("it looks");
    assert!(log.base() > 10);
    assert!(matches!(
        log.read(2, Bound::Tail),
        Err(StorageError::Trimmed { requested: 2, .. })
    ));
    let mut above = log.read(38, Bound::Tail).expect("it is there");
    let mut below = log.read(log.base(), Bound::Tail).expect("it is there");
    assert_eq!(next(&mut above), Some(38));
    assert_eq!(next(&mut below), Some(log.base()));
    // Shorter, then as long as before with other records, then longer.
    for (cut, more) in [
        ("truncate 37", ""),
        ("truncate 33", "other 7"),
        ("truncate 30", "other 50"),
    ] {
        let mut above = log.read(log.tail(), Bound::Tail).expect("it is there");
        assert_eq!(next(&mut above), None);
        other.tell(cut);
        if !more.is_empty() {
            other.tell(more);
        }
        log.refresh().expect("it looks");
        assert!(
            matches!(above.next(), Err(StorageError::Rewound { .. })),
            "{cut}, {more}"
        );
    }
    assert!(matches!(above.next(), Err(StorageError::Rewound { .. })));
    assert_eq!(log.tail(), 80);
    other.tell("reset 500");
    other.tell("fill 2");
    log.refresh().expect("it looks");
    assert_eq!((log.base(), log.tail()), (500, 502));
    let mut records = log.read(500, Bound::Tail).expect("it is there");
    assert_eq!(rest(&mut records), [500, 501]);
}

#[test]
fn an_iterator_sees_no_new_records_under_old_offsets() {
    let place = tempfile::tempdir().expect("a directory");
    let mut other = Other::at(place.path());
    other.tell("fill 20");
    let log = reader(place.path());
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    for offset in 0..18 {
        assert_eq!(next(&mut records), Some(offset));
    }
    other.tell("truncate 15");
    other.tell("other 30");
    // Nobody has refreshed: what it has at hand is of the old log, and what it reads now is not handed out.
    loop {
        match records.next() {
            Ok(Some(record)) => assert_eq!(record.payload(), payload(record.offset(), 100)),
            Ok(None) => {
                log.refresh().expect("it looks");
            }
            Err(StorageError::Rewound { to }) => {
                assert!(to <= 15);
                break;
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_record_that_is_not_whole_is_not_there_yet() {
    let place = Place::pread();
    let log = place.open(small());
    fill(&log, [100; 3]);
    log.close().expect("it closes");
    let path = place.path.as_ref().expect("on the real disk").path();
    let name = path.join("00000000000000000000.log");
    let whole = std::fs::read(&name).expect("the segment");
    let record = &whole[32 + 2 * 128..];
    let front = &whole[..32 + 2 * 128];
    std::fs::write(&name, front).expect("it is cut");
    let mark = path.join("durable.mark");
    std::fs::remove_file(mark).expect("it vouches for more");
    let log = reader(path);
    assert_eq!(log.tail(), 2);
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    assert_eq!(rest(&mut records), [0, 1]);
    for end in 1..record.len() {
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(&name)
            .expect("the segment");
        file.write_all(&record[end - 1..end]).expect("it grows");
        log.refresh().expect("it looks");
        assert_eq!(log.tail(), 2, "{end} bytes of it");
        assert_eq!(next(&mut records), None);
    }
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&name)
        .expect("the segment");
    file.write_all(&record[record.len() - 1..])
        .expect("it grows");
    log.refresh().expect("it looks");
    assert_eq!(log.tail(), 3);
    assert_eq!(next(&mut records), Some(2));
}

#[test]
fn nothing_is_written_or_locked() {
    let place = Place::pread();
    let log = place.open(small());
    fill(&log, [100; 30]);
    drop(log);
    let path = place.path.as_ref().expect("on the real disk").path();
    // What a crash left: half a record, and an index that is gone.
    let name = path.join("00000000000000000004.log");
    let newest = std::fs::read_dir(path)
        .expect("it can be listed")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".log"))
        .max()
        .expect("a segment");
    drop(name);
    let newest = path.join(newest);
    let mut bytes = std::fs::read(&newest).expect("the segment");
    bytes.extend_from_slice(&[1, 2, 3]);
    std::fs::write(&newest, bytes).expect("it is damaged");
    std::fs::remove_file(path.join("00000000000000000000.index")).expect("it is there");
    let snapshot = || {
        let mut files: Vec<_> = std::fs::read_dir(path)
            .expect("it can be listed")
            .map(|entry| {
                let entry = entry.expect("an entry");
                let bytes = std::fs::read(entry.path()).expect("a file");
                (
                    entry.file_name(),
                    bytes,
                    entry.metadata().expect("it is there").modified().ok(),
                )
            })
            .collect();
        files.sort();
        files
    };
    let before = snapshot();
    let log = reader(path);
    assert!(!log.recovered().reports.is_empty());
    assert_eq!(log.tail(), 30);
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    assert_eq!(rest(&mut records).len(), 30);
    log.refresh().expect("it looks");
    let writer = place.open(small());
    drop(writer);
    drop(log);
    let log = place.open(small());
    log.close().expect("it closes");
    let path_of_nothing = tempfile::tempdir().expect("a directory");
    let nothing = ReadOnlyLog::open(path_of_nothing.path(), &config());
    assert!(
        matches!(nothing, Err(StorageError::NotFound { .. })),
        "{nothing:?}"
    );
    assert_eq!(
        std::fs::read_dir(path_of_nothing.path())
            .expect("it is there")
            .count(),
        0
    );
    assert_ne!(snapshot(), before, "the writer repaired it");
}
