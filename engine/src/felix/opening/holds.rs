//! The segments as they lie there, before any repair.

use crate::felix::error::{CorruptionKind, StorageError};
use crate::felix::recovery::Scans;
use crate::felix::segment::{Failure, Header};

/// A segment as it lies there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Its id.
    pub id: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// What is in it; or what is wrong with its header.
    pub held: Result<Held, CorruptionKind>,
}

/// What a segment holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The header.
    pub header: Header,
    /// Intact records from the front.
    pub intact_records: u64,
    /// What ended them, unless that is the end of the file.
    pub failure: Option<Failure>,
}

/// Scans every segment of the shard that is a regular file, on as many threads as the access allows.
///
/// ```
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::opening::holds;
/// use ondisk_engine::felix::recovery::Scans;
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let segment = path.join("00000000000000000000.log");
/// # let mut segment = std::fs::File::options().append(true).open(segment)?;
/// # std::io::Write::write_all(&mut segment, b"torn")?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let hold = holds(&scans)?.remove(0);
/// let held = hold.held?;
/// assert_eq!(held.intact_records, 2);
/// assert!(held.failure.is_some_and(|failure| failure.position < hold.bytes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StorageError::Io`] when one cannot be read.
pub fn holds(scans: &Scans<'_>) -> Result<Vec<Hold>, StorageError> {
    let segments = scans
        .shard()
        .segments()
        .filter_map(|segment| Some((segment.id, segment.bytes?)));
    let segments: Vec<(u64, u64)> = segments.collect();
    let ids: Vec<u64> = segments.iter().map(|&(id, _)| id).collect();
    scans.warm(&ids);
    let hold = |&(id, bytes): &(u64, u64)| {
        let scanned = scans.full(id)?;
        let held = scanned
            .records
            .as_ref()
            .map_err(|&kind| kind)
            .map(|scan| Held {
                header: scan.header,
                intact_records: scan.kinds.total(),
                failure: scan.failure,
            });
        Ok(Hold { id, bytes, held })
    };
    segments.iter().map(hold).collect()
}
