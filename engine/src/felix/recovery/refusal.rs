//! Why a log does not open, and what an open comes to.

use std::fmt;
use std::io;
use std::path::Path;

use super::{OptIn, Report};
use crate::disk::{EntryKind, Irregular};
use crate::felix::error::{Corruption, SidecarDamage, StorageError};

/// Why a log does not open.
///
/// ```
/// use std::io::{Seek, SeekFrom, Write};
///
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::mark::Mark;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::recovery::{OptIn, Refusal, Scans, Settings, plan};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let segment = path.join("00000000000000000000.log");
/// let mut segment = std::fs::File::options().write(true).open(segment)?;
/// // The last byte of the last record.
/// segment.seek(SeekFrom::End(-1))?;
/// segment.write_all(b"?")?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let plan = plan(&scans, Mark(None), &[], &Settings::default())?;
/// let Some(Refusal::Corruption { opt_in, .. }) = plan.refusal else { panic!("it opens") };
/// assert_eq!(opt_in, Some(OptIn::RepairChecksumTail));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A segment or a record is damaged.
    Corruption {
        /// What and where.
        corruption: Corruption,
        /// The setting under which it would be cut off instead, if there is one.
        opt_in: Option<OptIn>,
    },
    /// An authoritative sidecar does not decode.
    Sidecar {
        /// Name of the file.
        file: &'static str,
        /// What is wrong with it.
        damage: SidecarDamage,
    },
    /// A segment or an authoritative sidecar is no regular file (Felix 1.5).
    Irregular {
        /// Name of the file.
        file: String,
    },
}

impl Refusal {
    /// What stands in the category: the kind of corruption, `Sidecar:` and the file, or `Io`.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Corruption { corruption, .. } => corruption.kind.name().to_owned(),
            Self::Sidecar { file, .. } => format!("Sidecar:{file}"),
            Self::Irregular { .. } => "Io".to_owned(),
        }
    }

    /// The error that an open of this shard returns.
    #[must_use]
    pub fn into_error(self, label: &str, directory: &Path) -> StorageError {
        match self {
            Self::Corruption { corruption, .. } => corruption.in_shard(label).into(),
            Self::Sidecar { file, damage } => StorageError::Sidecar {
                file,
                shard: label.to_owned(),
                damage,
            },
            Self::Irregular { file } => {
                let source = io::Error::from(Irregular {
                    wanted: EntryKind::File,
                });
                StorageError::Io {
                    source,
                    path: directory.join(file),
                    operation: "open",
                }
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corruption { corruption, opt_in } => {
                write!(f, "{corruption}")?;
                match opt_in {
                    Some(opt_in) => write!(f, "; {} would cut it off", opt_in.setting()),
                    None => Ok(()),
                }
            }
            Self::Sidecar { file, damage } => {
                write!(f, "{file} is damaged and cannot be done without: {damage}")
            }
            Self::Irregular { file } => write!(f, "{file} is not a regular file"),
        }
    }
}

/// What an open comes to. Displays as reports spell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Category {
    /// It opens, nothing to report.
    OpenOk,
    /// It opens after these repairs, each name once, in order.
    Repaired(Vec<&'static str>),
    /// It opens and changes nothing, but there is damage to report.
    Reported(Vec<&'static str>),
    /// It does not open.
    Refused(String),
}

impl Category {
    /// From the reports of a plan, and the refusal if there is one.
    #[must_use]
    pub fn of(reports: &[Report], refusal: Option<&Refusal>) -> Self {
        if let Some(refusal) = refusal {
            return Self::Refused(refusal.kind());
        }
        let mut names = Vec::new();
        for report in reports.iter().filter(|report| report.is_damage()) {
            if !names.contains(&report.name()) {
                names.push(report.name());
            }
        }
        if names.is_empty() {
            Self::OpenOk
        } else if reports
            .iter()
            .any(|report| report.is_damage() && report.is_repair())
        {
            Self::Repaired(names)
        } else {
            Self::Reported(names)
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenOk => f.write_str("open_ok"),
            Self::Repaired(names) => write!(f, "repaired({})", names.join(",")),
            Self::Reported(names) => write!(f, "reported({})", names.join(",")),
            Self::Refused(kind) => write!(f, "refused({kind})"),
        }
    }
}
