//! The commands that explore.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command speaks to who called it"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use ondisk_engine::disk::simulated::Model;

use crate::campaign::{self, Outcome};
use crate::explore::{Limits, Tally, explore};
use crate::faults::{Failures, fail_everywhere};
use crate::others::{explore_others, fail_others};
use crate::promise::Violation;
use crate::shard::{Script, scripts};
use crate::shrink::shrink;

/// Cuts the power at every operation of scripts, of data directories, repairs and copies.
#[derive(Args)]
pub struct Explore {
    /// Distinct states to find: all that is named, then random scripts.
    #[arg(long, default_value_t = 1_000_000)]
    states: u64,
    /// Of the first random script.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Disks made of each moment.
    #[arg(long, default_value_t = 12)]
    disks: u64,
    /// Threads; as many as there are cores, unless told.
    #[arg(long)]
    threads: Option<usize>,
    /// The disk shows stale blocks, garbage and rot: losses are allowed, and must be told.
    #[arg(long)]
    hostile: bool,
}

impl Explore {
    /// Explores, and says what was found.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        let mut limits = Limits {
            disks: self.disks,
            ..Limits::default()
        };
        if self.hostile {
            limits.model = Model::Hostile;
            // A recovery that is cut off has told nobody what it cut.
            limits.recoveries = 0;
        }
        let threads = self.threads.unwrap_or_else(threads);
        let start = Instant::now();
        let told = AtomicU64::new(0);
        let progress = |name: &str, states: u64| {
            let seconds = start.elapsed().as_secs();
            if told.fetch_max(seconds, Ordering::Relaxed) < seconds {
                eprintln!("{states:>10} states  {seconds:>5} s  {name}");
            }
        };
        let others = explore_others(&limits, threads, &progress);
        let mut outcome = campaign::until(
            self.states.saturating_sub(others.tally.states()),
            &scripts(),
            self.seed,
            &limits,
            threads,
            &progress,
        );
        outcome.tally.add(&others.tally);
        println!(
            "{:?} model: {} distinct states of {} scripts and {} data directories, repairs and copies, {} disks opened, \
             {} violations, {} s",
            limits.model,
            outcome.tally.states(),
            outcome.scripts,
            others.subjects,
            outcome.tally.checks(),
            outcome.violations.len() + others.violations.len(),
            start.elapsed().as_secs(),
        );
        for violation in &others.violations {
            println!("\n{violation}");
        }
        let sound = tell(&outcome, &limits) && others.violations.is_empty();
        code(sound)
    }
}

/// Prints each violation with the shortest script that has it. Whether there is none.
fn tell(outcome: &Outcome, limits: &Limits) -> bool {
    for (script, violation) in &outcome.violations {
        println!("\n{violation}");
        let fails = |shorter: &Script| {
            let found = explore(shorter, limits, &mut Tally::default());
            found.is_err_and(|found| found.promise == violation.promise)
        };
        let shortest = shrink(script, fails);
        println!(
            "\nThe shortest script for it, to be kept in engine/simulation/regressions:\n\n{shortest}"
        );
    }
    outcome.violations.is_empty()
}

/// Lets every call of every script, data directory, repair and copy fail.
#[derive(Args)]
pub struct Fail {
    /// Disks after a power cut that are looked at behind each failure.
    #[arg(long, default_value_t = 8)]
    disks: u64,
}

impl Fail {
    /// Runs, and says what was found.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        let mut sound = true;
        let mut told = |name: &str, failed: Result<Failures, Violation>| match failed {
            Ok(failures) => println!(
                "{:>7} failures, {:>7} disks behind them  {name}",
                failures.runs, failures.checks
            ),
            Err(violation) => {
                println!("{violation}");
                sound = false;
            }
        };
        for script in scripts() {
            let failed = fail_everywhere(&script, self.disks);
            told(&script.name, failed);
        }
        fail_others(self.disks, &mut told);
        code(sound)
    }
}

/// Explores a script from a file.
#[derive(Args)]
pub struct Replay {
    /// The files.
    files: Vec<PathBuf>,
}

impl Replay {
    /// Explores each, and says what was found.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        let mut sound = true;
        for file in &self.files {
            let explored = std::fs::read_to_string(file)
                .map_err(|error| error.to_string())
                .and_then(|text| text.parse::<Script>())
                .and_then(|script| replay(&script).map_err(|violation| violation.to_string()));
            match explored {
                Ok(tally) => println!("{}: sound, {} states", file.display(), tally.states()),
                Err(error) => {
                    println!("{}: {error}", file.display());
                    sound = false;
                }
            }
        }
        code(sound)
    }
}

/// Explores a script, with many disks of each moment.
///
/// # Errors
/// The first promise that is broken.
pub fn replay(script: &Script) -> Result<Tally, Violation> {
    let mut tally = Tally::default();
    let limits = Limits {
        disks: 32,
        ..Limits::default()
    };
    explore(script, &limits, &mut tally)?;
    Ok(tally)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn code(sound: bool) -> ExitCode {
    match sound {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
