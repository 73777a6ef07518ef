//! The command `kill`.

use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::campaign::Campaign;
use super::ground::{FileSystem, Ground};
use super::image::Images;
use super::tally::Tally;

/// What a campaign is started with.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Processes that are killed.
    #[arg(long, default_value_t = 1000)]
    pub rounds: u64,
    /// What all choices come from, but for the moment at which a kill arrives.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where directories are made; the temporary directory by default.
    #[arg(long)]
    pub directory: Option<PathBuf>,
    /// A third of the rounds on a tmpfs and a third on an ext4 that are mounted for it, and copies of the ext4's disk
    /// while it is written. Needs root; interrupted by a signal, it leaves the mounts.
    #[arg(long)]
    pub file_systems: bool,
}

/// One in so many rounds is of a whole data directory.
const OF_STORES: u64 = 4;

/// A copy of a disk for so many kills on it.
const KILLS_AN_IMAGE: u64 = 10;

/// Runs a campaign, and says what came of it.
#[must_use]
pub fn run(arguments: &Arguments) -> ExitCode {
    say(format_args!("seed {}", arguments.seed));
    let mut tally = Tally::default();
    let ran = run_on_all(arguments, &mut tally);
    say(format_args!("{tally}"));
    match ran {
        Ok(()) => {
            say(format_args!("lost         0"));
            ExitCode::SUCCESS
        }
        Err(why) => {
            say(format_args!("FAILED       {why}"));
            ExitCode::FAILURE
        }
    }
}

fn run_on_all(arguments: &Arguments, tally: &mut Tally) -> Result<(), String> {
    let below = arguments.directory.clone();
    let below = below.unwrap_or_else(std::env::temp_dir);
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let file_systems = match arguments.file_systems {
        true => &FileSystem::ALL[..],
        false => &[FileSystem::Temporary],
    };
    let began = Instant::now();
    let mut said = began;
    let mut progress = |tally: &Tally| {
        if said.elapsed() >= Duration::from_secs(1) {
            said = Instant::now();
            let (seconds, rounds, images) = (began.elapsed().as_secs(), tally.rounds, tally.images);
            say(format_args!(
                "{seconds:>5} s  {rounds} kills, {images} images, {} records checked",
                tally.checked
            ));
        }
    };
    let rounds = arguments.rounds / file_systems.len() as u64;
    for &file_system in file_systems {
        let ground = match Ground::new(file_system, &below) {
            Ok(ground) => ground,
            Err(why) => {
                say(format_args!("skipped {}: {why}", file_system.name()));
                continue;
            }
        };
        say(format_args!("on {}", file_system.name()));
        let of_stores = rounds / OF_STORES;
        for (store, rounds) in [(false, rounds - of_stores), (true, of_stores)] {
            let campaign = Campaign {
                program: program.clone(),
                ground: ground.path().to_owned(),
                seed: arguments.seed,
                store,
                spoil: None,
                keep: Some(std::env::temp_dir()),
            };
            campaign.run(rounds, tally, &mut progress)?;
        }
        if file_system == FileSystem::Ext4 {
            let images = Images {
                program: program.clone(),
                ground: below.clone(),
                seed: arguments.seed,
            };
            images.run(rounds / KILLS_AN_IMAGE, tally, &mut progress)?;
        }
    }
    Ok(())
}

fn say(what: fmt::Arguments<'_>) {
    // Nobody is left to be told when that fails.
    let _told = writeln!(io::stdout(), "{what}");
}
