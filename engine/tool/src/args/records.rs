//! Arguments of `append` and `read`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `append`.
///
/// Records that are at hand together are appended together, each such batch whole or not at all. The command ends when
/// all of them are flushed, and says on the error stream which offsets they got. Directories that are missing are
/// created.
///
/// A shard that other brokers copy, or whose data directory is registered with a control plane, is not for a hand to
/// write: it has a `replica` file, or the data directory a `registration`.
#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub(crate) struct Append {
    /// A shard directory; or a data directory, with --shard or --dir.
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) which: Which,
    /// What comes in.
    #[arg(long, value_name = "FORMAT", default_value = "lines")]
    pub(crate) format: Format,
    /// When records are flushed: each batch before the next is read, in the background, or not before the end.
    #[arg(long, value_name = "WHEN", default_value = "periodic")]
    pub(crate) fsync: Fsync,
    /// Length at which a segment is full.
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub(crate) segment_size: u64,
    /// Though the shard is copied by other brokers, is of a cache or of counters, or the directory is none of ours.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Arguments of `read`.
///
/// Takes no lock and writes nothing, so that it works beside a broker and on what cannot be written. What is read is the
/// log as an open would leave it.
#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub(crate) struct Read {
    /// A shard directory; or a data directory, with --shard or --dir.
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) which: Which,
    /// Offset of the first record [default: the oldest].
    #[arg(long, value_name = "OFFSET")]
    pub(crate) from: Option<u64>,
    /// At most so many records.
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Wait for more at the end.
    #[arg(long)]
    pub(crate) follow: bool,
    /// What goes out.
    #[arg(long, value_name = "FORMAT", default_value = "lines")]
    pub(crate) format: Format,
    /// The bytes as they are, on a terminal too, which does whatever they say.
    #[arg(long)]
    pub(crate) raw: bool,
}

/// Which shard of a data directory.
#[derive(Args, Clone, Debug)]
pub(crate) struct Which {
    /// The shard of a stream by its key. `%2F` stands for a slash in a name, `%25` for a percent sign.
    #[arg(
        long,
        value_name = "TENANT/NAMESPACE/STREAM/NUMBER",
        conflicts_with = "dir"
    )]
    pub(crate) shard: Option<String>,
    /// The shard by its path below the data directory, such as caches/acme_default_flags_3-80b1f81ec6d777a6.
    #[arg(long, value_name = "PATH")]
    pub(crate) dir: Option<PathBuf>,
}

/// How records are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A payload a line.
    Lines,
    /// An object a line.
    Json,
    /// A timestamp and a payload in base64 a line.
    Base64,
    /// Length, timestamp, payload.
    Frames,
}

/// When records are flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fsync {
    /// Each batch before the next one is read.
    OnCommit,
    /// Four times a second, and at the end.
    Periodic,
    /// At the end.
    None,
}

const FORMATS: &str = "Formats:
  lines   a payload a line, without its line feed; a payload that has one becomes several records
  json    an object a line: \"payload\" has text, \"payload_base64\" any bytes, \"timestamp_micros\" may be there;
          \"offset\" is printed, and ignored on the way in
  base64  a line: the timestamp in microseconds and a space, which may be missing on the way in, then base64
  frames  4 bytes length of the payload, 8 bytes timestamp in microseconds, both big-endian, then the payload
The last three carry any payload and timestamp through `append` and `read` unchanged.";
