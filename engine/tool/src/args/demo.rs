//! Arguments of `demo`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `demo`.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Where the log is made, not there yet or empty, and kept [default: a temporary directory].
    pub(crate) directory: Option<PathBuf>,
    /// Keep the temporary directory.
    #[arg(long)]
    pub(crate) keep: bool,
}
