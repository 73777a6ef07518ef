//! `ondisk append`: records from the standard input to a log.

mod refusals;

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use ondisk_engine::disk::Lock;
use ondisk_engine::felix::log::{CommitError, Config, Entry, FsyncMode, Log};
use ondisk_engine::felix::recovery::Report;

use crate::args::{Append, Fsync};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::words;
use crate::place::Meant;
use crate::records::Splitter;

/// Appends what comes in.
pub(crate) fn run(args: &Append) -> Result<Exit, Failure> {
    let meant = Meant::of(&args.directory, &args.which)?;
    let _root: Option<Lock> = refusals::check(args, &meant)?;
    let log = open(args, &meant)?;
    let begin = log.tail();
    let fed = feed(args, &log);
    // What was appended before a failure is flushed like any other.
    let tail = log.tail();
    let closed = log.sync().and_then(|_| log.close());
    tell(&meant.path, begin, tail, closed.is_ok());
    closed?;
    fed.map(|()| Exit::Sound)
}

fn open(args: &Append, meant: &Meant) -> Result<Log, Failure> {
    let config = Config {
        key: meant.key.clone(),
        fsync: match args.fsync {
            Fsync::OnCommit => FsyncMode::OnCommit,
            Fsync::Periodic => FsyncMode::Periodic {
                interval: Duration::from_millis(250),
            },
            Fsync::None => FsyncMode::None,
        },
        segment_size_bytes: args.segment_size,
        ..Config::default()
    };
    let log = Log::open(&meant.path, config)?;
    let recovered = log.recovered().reports.iter();
    for report in recovered.filter(|report| report.is_damage()) {
        note(&format!(
            "recovered: {}",
            words::harmless(&Report::to_string(report))
        ));
    }
    Ok(log)
}

/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;

/// Bytes of payload in a batch.
const BATCH: usize = 4 << 20;

fn feed(args: &Append, log: &Log) -> Result<(), Failure> {
    let mut stdin = io::stdin().lock();
    let mut splitter = Splitter::new(args.format);
    let mut buffer: Vec<u8> = Vec::new();
    loop {
        let held = buffer.len();
        buffer.resize(held + CHUNK, 0);
        let read = match stdin.read(&mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                buffer.truncate(held);
                continue;
            }
            read => read.map_err(|error| {
                Failure::system("read", Path::new("the standard input"), &error)
            })?,
        };
        buffer.truncate(held + read);
        let end = read == 0;
        let took = append(args, log, &mut splitter, &buffer, end)?;
        buffer.drain(..took);
        if end {
            return Ok(());
        }
    }
}

/// Appends the records at the front of `buffer`, and says how many bytes they are.
fn append(
    args: &Append,
    log: &Log,
    splitter: &mut Splitter,
    buffer: &[u8],
    end: bool,
) -> Result<usize, Failure> {
    let mut took = 0;
    loop {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        let mut wrong = None;
        while bytes < BATCH {
            match splitter.next(&buffer[took..], end) {
                Ok(Some((input, step))) => {
                    took += step;
                    bytes += input.payload.len() + 64;
                    batch.push(input);
                }
                Ok(None) => break,
                Err(what) => {
                    wrong = Some(what);
                    break;
                }
            }
        }
        if !batch.is_empty() {
            let entries: Vec<Entry<'_>> = batch
                .iter()
                .map(|input| Entry {
                    timestamp_micros: input.timestamp_micros,
                    ..Entry::new(&input.payload)
                })
                .collect();
            let commit = log.append(&entries)?;
            if args.fsync == Fsync::OnCommit {
                commit.wait().map_err(|error| not_flushed(&error))?;
            }
        }
        if let Some(what) = wrong {
            return Err(Failure::look(
                format!("{what}: it was not appended, nor was anything behind it"),
                "what came before is appended and flushed; `ondisk append --help` has the formats",
            ));
        }
        if batch.is_empty() {
            return Ok(took);
        }
    }
}

fn not_flushed(error: &CommitError) -> Failure {
    Failure::look(
        error.to_string(),
        "the device may have lost what it was given: look at it, then at the log with `ondisk verify`",
    )
}

/// Says what became of it.
fn tell(path: &Path, begin: u64, tail: u64, flushed: bool) {
    let count = words::count(tail.saturating_sub(begin), "record", "records");
    let state = if flushed {
        "flushed"
    } else {
        "not known to be flushed"
    };
    note(&format!(
        "appended {count} at offsets {begin}..{tail} of {}, {state}",
        words::path(path)
    ));
}

fn note(text: &str) {
    // There is nobody to tell when the stream itself is closed.
    let _told = writeln!(io::stderr(), "ondisk: {text}");
}
