//! Arguments of `repair`.

use std::path::PathBuf;

use clap::Args;

use super::{DirectoryKind, Planning, Said, Work};

/// Arguments of `repair`.
///
/// The plan is the one that `ondisk verify` shows with the same flags, and has the same id. The directory is locked from
/// the plan to the last step, a data directory and each of its shards; before each step all is looked at again, and
/// whatever another process touched meanwhile ends it. What a plan refuses is left as it is.
///
/// Where records that were acknowledged may be lost, a cluster must not be told otherwise: a data directory gets a new
/// storage id and the shard gives up its accepted generation before anything is cut.
#[derive(Args, Debug)]
pub(crate) struct Repair {
    /// A shard directory or a whole data directory.
    pub(crate) directory: PathBuf,
    /// Do it without asking. Where there is no terminal to ask on, nothing is done without this.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Do only what `verify` showed under this id; several with commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) plan: Vec<String>,
    /// Do nothing unless all that was found has one of these names, with commas: torn_tail,index_rebuilt.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Nobody writes there, though run-state says that a broker runs and files changed just now.
    #[arg(long)]
    pub(crate) offline: bool,
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
