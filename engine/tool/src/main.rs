//! `ondisk`: the operator's tool.
//!
//! It reads what an engine left on a disk, says what is sound, torn, rotten or refused and why, and changes nothing unless
//! it is told to. All that it knows of bytes comes from the definitions in [`ondisk`], all that it knows of logs and their
//! recovery from [`ondisk_engine`]; here is only how a person is told and asked.

mod append;
mod args;
mod copy;
mod demo;
mod document;
mod exit;
mod explain;
mod failure;
mod inspect;
mod look;
mod output;
mod place;
mod read;
mod records;
mod repair;
mod spec;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use exit::Exit;
use failure::Failure;
use output::{Out, Paint};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) if answer.use_stderr() => {
            // It repeats what was given, which may be a name from a directory.
            for line in answer.render().to_string().lines() {
                let _told = writeln!(io::stderr(), "{}", output::words::harmless(line));
            }
            return Exit::Usage.into();
        }
        Err(answer) => {
            // There is nobody to tell when the stream itself is closed.
            let _told = answer.print();
            return Exit::Sound.into();
        }
    };
    run(&cli)
        .unwrap_or_else(|failure| complain(&failure))
        .into()
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    let mut to = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut out = Out::new(&mut to, Paint::choose(cli.color));
    let ended = match &cli.command {
        Command::Inspect(args) => inspect::run(args, &mut out),
        Command::Verify(args) => verify::run(args, &mut out),
        Command::Repair(args) => repair::run(args, &mut out),
        Command::Append(args) => append::run(args),
        Command::Read(args) => read::run(args, &mut out),
        Command::Copy(args) => copy::run(args, &mut out),
        Command::Demo(args) => demo::run(args, &mut out),
        Command::Spec(args) => spec::run(args, &mut out),
    };
    // What was found before a failure is shown before it.
    match (ended, out.flush()) {
        // A reader that has seen enough takes nothing away from what was found.
        (Ok(_), Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        (ended, _) => ended,
    }
}

fn complain(failure: &Failure) -> Exit {
    if !failure.is_quiet() {
        let _told = writeln!(io::stderr(), "{failure}");
    }
    failure.exit()
}
