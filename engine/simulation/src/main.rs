//! `ondisk-simulation`: explores crashes for as long as is wanted.

use std::process::ExitCode;

use clap::Parser;
use ondisk_simulation::kill;

/// Crashes of the engine, and what they leave.
#[derive(Parser)]
enum Command {
    /// Kills processes that write, on the real file system.
    Kill(kill::Arguments),
    /// A process that writes and is killed.
    #[command(hide = true)]
    KillWriter(kill::WriterArguments),
}

fn main() -> ExitCode {
    match Command::parse() {
        Command::Kill(arguments) => kill::run(&arguments),
        Command::KillWriter(arguments) => kill::run_writer(&arguments),
    }
}
