//! The command line.

mod copy;
mod demo;
mod records;
mod repair;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use copy::Copy;
pub(crate) use demo::Demo;
pub(crate) use records::{Append, Format, Fsync, Read, Which};
pub(crate) use repair::Repair;

/// Reads, checks, explains and repairs what durable logs leave on a disk.
///
/// What does not say that it writes only reads: it takes no lock, needs no write permission, creates nothing, and follows
/// no link under a name that an engine would open.
#[derive(Debug, Parser)]
#[command(name = "ondisk", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// When to use colours; by itself on a terminal, and not where NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  sound, or done
  1  damage was found: torn, rotten or refused; or something was not done because of it
  2  the command line cannot be right
  3  could not: a read error, no permission, a lock that another has, or a directory that moves while it is read";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show any file or directory: fields, records, state.
    Inspect(Inspect),
    /// Check a shard or a data directory, and say what an open of it would do, byte by byte and why.
    Verify(Verify),
    /// Do what `verify` plans, under the lock, keeping whatever is cut in files beside it. Writes.
    Repair(Repair),
    /// Append records from the standard input to a log, and wait until they are flushed. Writes.
    Append(Append),
    /// Print the records of a log, live ones too.
    Read(Read),
    /// Copy a shard or a data directory, live ones too, and check the copy. Writes to the copy alone.
    Copy(Copy),
    /// Watch a log being written, torn, explained, repaired and read, in one screenful.
    Demo(Demo),
    /// Print the specification page of a kind; without one, list the kinds.
    Spec(Spec),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that wants them.
    Auto,
    /// Even where nobody sees them.
    Always,
    /// Not at all.
    Never,
}

/// Arguments of `inspect`.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// A segment, an index, a sidecar, a shard directory, a whole data directory.
    pub(crate) path: PathBuf,
    /// Every byte, with the field that it belongs to.
    #[arg(long)]
    pub(crate) hex: bool,
    /// One JSON document.
    #[arg(long, conflicts_with = "hex")]
    pub(crate) json: bool,
    /// Take PATH for one of this, whatever its name: a kind of `ondisk spec`, or `shard`, or `root`.
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) taken_as: Option<String>,
    /// Show at most so many records or entries of each list.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) said: Said,
    #[command(flatten)]
    pub(crate) work: Work,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// A shard directory or a whole data directory.
    pub(crate) directory: PathBuf,
    /// One JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// Take DIRECTORY for one of this, whatever is in it.
    #[arg(long = "as", value_name = "WHAT")]
    pub(crate) taken_as: Option<DirectoryKind>,
    #[command(flatten)]
    pub(crate) said: Said,
    #[command(flatten)]
    pub(crate) work: Work,
}

/// What is planned.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Planning {
    /// Plan what an open with default settings would do, instead of checking everything.
    #[arg(long)]
    pub(crate) as_open: bool,
    /// Plan as with `repair_checksum_tail`: a complete but damaged last record is cut off.
    #[arg(long)]
    pub(crate) repair_checksum_tail: bool,
    /// Plan with every provable repair off.
    #[arg(long, conflicts_with = "zero_tail_without_mark")]
    pub(crate) strict: bool,
    /// Plan as with `provable.zero_tail_without_mark`: zeros at the end are cut off though no durable mark speaks of them.
    #[arg(long)]
    pub(crate) zero_tail_without_mark: bool,
}

/// What a directory alone cannot say.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Said {
    /// What the records of a shard are [default: what its parent folder or its keys.idx says, else stream].
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<LogKind>,
    /// The base that a log is placed at which turns out to be empty.
    #[arg(long, value_name = "OFFSET", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    pub(crate) open_at: u64,
    /// Record bytes between two entries of an index that is built anew.
    #[arg(long, value_name = "BYTES", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) index_spacing: u64,
}

/// How the work is done.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Threads that read at the same time [default: as many as there are processors, up to 8].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// What a directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectoryKind {
    /// One shard.
    Shard,
    /// A whole data directory.
    Root,
}

/// What the records of a shard are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogKind {
    /// Opaque payloads.
    Stream,
    /// Changes of a cache.
    Cache,
    /// Changes of counters.
    Counter,
}

/// Arguments of `spec`.
#[derive(Args, Debug)]
pub(crate) struct Spec {
    /// Name of a kind, or of a file of that kind.
    pub(crate) kind: Option<String>,
    /// The page as it is, in Markdown.
    #[arg(long, requires = "kind")]
    pub(crate) markdown: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
