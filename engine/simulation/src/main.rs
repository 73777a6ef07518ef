//! `ondisk-simulation`: explores crashes for as long as is wanted.

use std::process::ExitCode;

use clap::Parser;
use ondisk_simulation::{command, kill};

/// Crashes of the engine, and what they leave.
#[derive(Parser)]
enum Command {
    /// Cuts the power at every operation of scripts, on a simulated disk.
    Explore(command::Explore),
    /// Lets every call of every script fail, with every error.
    Fail(command::Fail),
    /// Explores a script from a file.
    Replay(command::Replay),
    /// Kills processes that write, on the real file system.
    Kill(kill::Arguments),
    /// A process that writes and is killed.
    #[command(hide = true)]
    KillWriter(kill::WriterArguments),
}

fn main() -> ExitCode {
    match Command::parse() {
        Command::Explore(arguments) => arguments.run(),
        Command::Fail(arguments) => arguments.run(),
        Command::Replay(arguments) => arguments.run(),
        Command::Kill(arguments) => kill::run(&arguments),
        Command::KillWriter(arguments) => kill::run_writer(&arguments),
    }
}
