//! `ondisk read`: the records of a log. Locks nothing, writes nothing.

use std::io::Write as _;
use std::time::Duration;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Environment, ReadMode, ReadOnlyLog};
use std::sync::Arc;

use crate::args::{DirectoryKind, Read};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, words};
use crate::place::{self, Meant};
use crate::records::Writer;

/// Prints the records of one log.
pub(crate) fn run(args: &Read, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let writer = Writer::to_stdout(args.format, args.raw)?;
    let directory = directory(args)?;
    let config = Config {
        read_mode: ReadMode::Pread,
        ..Config::default()
    };
    let log = ReadOnlyLog::open_in(directory, &config, &Environment::default())?;
    let from = args.from.unwrap_or_else(|| log.base());
    let left = args.count.unwrap_or(u64::MAX);
    match args.follow {
        true => follow(&log, from, left, writer, out),
        false => read(&log, from, left, writer, out),
    }
}

fn directory(args: &Read) -> Result<Arc<dyn Directory>, Failure> {
    let meant = Meant::of(&args.directory, &args.which)?;
    let directory = place::directory(&meant.path)?;
    let whole_root = meant.store.is_none()
        && matches!(place::directory_kind(&directory), Ok(DirectoryKind::Root));
    if whole_root {
        let path = words::path(&args.directory);
        return Err(Failure::usage(
            format!("{path} is a whole data directory"),
            format!("name a shard of it with --shard or --dir; `ondisk inspect {path}` lists them"),
        ));
    }
    Ok(directory)
}

fn read(
    log: &ReadOnlyLog,
    from: u64,
    mut left: u64,
    writer: Writer,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let mut records = log.read(from, Bound::Tail)?;
    while left > 0 {
        // What came before a failure is shown before it.
        let Some(record) = records.next()? else { break };
        writer.write(&record, out)?;
        left -= 1;
    }
    Ok(Exit::Sound)
}

fn follow(
    log: &ReadOnlyLog,
    from: u64,
    mut left: u64,
    writer: Writer,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let mut records = log.follow(from)?;
    while left > 0 {
        let at_hand = records.next_timeout(Duration::ZERO)?;
        match at_hand {
            Some(record) => writer.write(&record, out)?,
            None => {
                // Whoever reads sees all that there is before the wait.
                out.flush()?;
                let record = records.next().map_err(ended)?;
                writer.write(&record, out)?;
            }
        }
        left -= 1;
    }
    Ok(Exit::Sound)
}

/// What ends the following of a log.
fn ended(error: StorageError) -> Failure {
    match error {
        StorageError::Rewound { to } => Failure::look(
            format!("the log was cut back to offset {to}, below what was shown"),
            format!("read on with --from {to}"),
        ),
        other => other.into(),
    }
}
