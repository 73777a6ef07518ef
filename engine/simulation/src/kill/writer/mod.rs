//! The process that writes, says what it does, and is killed.

mod append;
mod cuts;
mod pipe;
mod shard;
mod store;

pub use pipe::Pipe;
pub use shard::{Answer, Shard};

use std::path::PathBuf;
use std::process::ExitCode;

use ondisk_engine::felix::log::Log;

use super::said::Place;
use super::settings::{Mode, Settings};
use crate::random::Random;

/// What a writer is started with.
#[derive(Clone, Debug, clap::Args)]
pub struct WriterArguments {
    /// The directory of the log, or the data directory.
    #[arg(long)]
    pub directory: PathBuf,
    /// When an append is acknowledged.
    #[arg(long)]
    pub mode: Mode,
    /// Seed of the other settings.
    #[arg(long)]
    pub settings: u64,
    /// Seed of what is done.
    #[arg(long)]
    pub script: u64,
    /// Number of the round, which makes the numbers of its batches.
    #[arg(long)]
    pub round: u64,
    /// A whole data directory, and not one log.
    #[arg(long)]
    pub store: bool,
}

impl WriterArguments {
    /// These, for a command line.
    #[must_use]
    pub fn to_words(&self) -> Vec<std::ffi::OsString> {
        let mut words = vec!["--directory".into(), self.directory.clone().into()];
        for (name, value) in [
            ("--mode", self.mode.name().to_owned()),
            ("--settings", self.settings.to_string()),
            ("--script", self.script.to_string()),
            ("--round", self.round.to_string()),
        ] {
            words.push(name.into());
            words.push(value.into());
        }
        if self.store {
            words.push("--store".into());
        }
        words
    }
}

/// Writes until it is killed, its parent is gone, or a call fails that must not.
#[must_use]
pub fn run(arguments: &WriterArguments) -> ExitCode {
    let Ok(pipe) = Pipe::of_stdout() else {
        return ExitCode::FAILURE;
    };
    let ended = if arguments.store {
        store::write(&pipe, arguments)
    } else {
        write_log(&pipe, arguments)
    };
    if let Err(why) = ended {
        pipe.fail(why);
    }
    ExitCode::FAILURE
}

fn write_log(pipe: &Pipe, arguments: &WriterArguments) -> Answer {
    let settings = Settings::of(arguments.mode, arguments.settings);
    let place = Place::default();
    let mut random = Random::new(arguments.script);
    let open = || Log::open(&arguments.directory, settings.config.clone());
    let mut shard = Shard::open(pipe, place, &settings, open)?;
    // So high that no round before had one of them.
    let mut next = arguments.round << 24;
    loop {
        shard.step(&mut random, &mut next)?;
        if random.one_in(40) {
            shard.end(&mut random)?;
            shard = Shard::open(pipe, place, &settings, open)?;
        }
    }
}
