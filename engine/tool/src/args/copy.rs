//! Arguments of `copy`.

use std::path::PathBuf;

use clap::Args;

use super::{DirectoryKind, Work};

/// Arguments of `copy`.
///
/// Segments share blocks with the original where the file system can do that, and are never links. The copy ends where the
/// original is known to be flushed; sidecars are read and written anew. A data directory becomes another one: it gets a
/// storage id of its own and no run-state, registration or node-id. The original is only read, without a lock, so that a
/// broker may be at work there. What is damaged is not copied.
#[derive(Args, Debug)]
pub(crate) struct Copy {
    /// A shard directory or a whole data directory.
    pub(crate) source: PathBuf,
    /// Where the copy goes; not there yet, or empty.
    pub(crate) target: PathBuf,
    /// What is there and not known to be flushed, too.
    #[arg(long)]
    pub(crate) unflushed: bool,
    /// Take SOURCE for one of this, whatever is in it.
    #[arg(long = "as", value_name = "WHAT")]
    pub(crate) taken_as: Option<DirectoryKind>,
    #[command(flatten)]
    pub(crate) work: Work,
}
