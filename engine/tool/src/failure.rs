//! What a command fails with: what is wrong, where, and what to do next.

use std::fmt;
use std::io;
use std::path::Path;

use ondisk_engine::disk::locked;
use ondisk_engine::felix::copy::CopyError;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::shard::is_moved;

use crate::exit::Exit;
use crate::output::words;
use crate::repair::is_disturbed;

/// Why a command ends without an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for what cannot be.
    Usage(Complaint),
    /// Something could not be looked at, or not be done.
    Look(Complaint),
    /// Something is damaged, and what was asked for cannot be had of it.
    Damage(Complaint),
    /// The output cannot be written.
    Output(io::Error),
}

/// What is wrong, and what to do next.
#[derive(Debug)]
pub(crate) struct Complaint {
    what: String,
    next: String,
}

impl Failure {
    pub(crate) fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Usage(Complaint {
            what: what.into(),
            next: next.into(),
        })
    }

    pub(crate) fn look(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Look(Complaint {
            what: what.into(),
            next: next.into(),
        })
    }

    pub(crate) fn damage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Damage(Complaint {
            what: what.into(),
            next: next.into(),
        })
    }

    /// What the system said when `operation` was tried on `path`.
    pub(crate) fn system(operation: &str, path: &Path, error: &io::Error) -> Self {
        let what = format!("cannot {operation} {}: {error}", words::path(path));
        Self::look(what, next_after(error.kind()))
    }

    /// What the tool ends with. A reader that has seen enough is no failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Look(_) => Exit::CouldNotLook,
            Self::Damage(_) => Exit::Damaged,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Sound,
            Self::Output(_) => Exit::CouldNotLook,
        }
    }

    /// Whether there is somebody to tell.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn next_after(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "check the path; if a process writes there, look again",
        io::ErrorKind::PermissionDenied => {
            "run it as the user that owns the data; to look, reading is all it needs"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "it is mounted read-only; writing needs more than that"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room; nothing is cut whose bytes cannot be kept first"
        }
        io::ErrorKind::OutOfMemory => {
            "raise the memory limit, or look at fewer files at a time with --jobs 1"
        }
        io::ErrorKind::UnexpectedEof => {
            "the file got shorter while it was read: stop the process that writes there, or look again"
        }
        _ => {
            "if the device reports errors, copy what can be read before anything else is tried on it"
        }
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        let moved = is_moved(&error);
        match error {
            StorageError::Io { source, path, .. } if locked(&source).is_some() => Self::look(
                format!("{} is {source}", words::path(&path)),
                "stop the process that writes there, or wait for it",
            ),
            StorageError::Io { source, path, .. } if is_disturbed(&source) => Self::look(
                format!("{} {source}", words::path(&path)),
                "stop whatever writes there, then run this again: what was done so far stands and was safe to do",
            ),
            StorageError::Io { source, path, .. } if moved => Self::look(
                format!("{} is moving: {source}", words::path(&path)),
                "look again, or stop the process that writes there",
            ),
            StorageError::Io {
                source,
                path,
                operation,
            } => Self::system(operation, &path, &source),
            StorageError::SyncFailed => Self::look(
                error.to_string(),
                "the device may have lost what it was given: look at it, then at the log with `ondisk verify`",
            ),
            StorageError::Trimmed { oldest, .. } => {
                Self::look(error.to_string(), format!("begin at {oldest}, the oldest"))
            }
            StorageError::InvalidConfig { setting } => Self::usage(
                format!("{setting} has a value that cannot work"),
                "the --help of the command tells what it may be",
            ),
            StorageError::Corruption(_) | StorageError::Sidecar { .. } => Self::damage(
                words::harmless(&error.to_string()),
                "`ondisk verify` says what is damaged and what can be done about it",
            ),
            other => Self::look(words::harmless(&other.to_string()), "look again"),
        }
    }
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::Storage(error) => error.into(),
            CopyError::Damaged { path, what } => Self::damage(
                format!(
                    "{} is damaged, and a copy would hide it: {}",
                    words::path(&path),
                    words::harmless(&what)
                ),
                "`ondisk verify` says more; to keep the bytes as they are, copy them with cp -a",
            ),
            other => Self::look(words::harmless(&other.to_string()), "look again"),
        }
    }
}

/// The only I/O errors that reach a command as such are those of its output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(complaint) | Self::Look(complaint) | Self::Damage(complaint) => {
                write!(f, "ondisk: {}\n  next: {}", complaint.what, complaint.next)
            }
            Self::Output(error) => write!(
                f,
                "ondisk: cannot write the output: {error}\n  next: make room for it, or send it elsewhere"
            ),
        }
    }
}
