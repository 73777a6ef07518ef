//! Finding a record (Felix 5, 9).

use std::io;

use ondisk::felix::{IndexEntry, Record};

use super::scan::{failure, shortfall};
use super::{Failure, HEADER_BYTES, Header, Source};
use crate::felix::error::CorruptionKind;

/// The bytes of a segment, up to an end that stays.
pub trait Bytes {
    /// The end.
    fn end(&self) -> u64;

    /// The bytes from `position` on: at least `wanted` of them, or all up to the end where there are fewer.
    ///
    /// # Errors
    /// Whatever the system reports.
    fn bytes_at(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]>;
}

impl Bytes for Source<'_> {
    fn end(&self) -> u64 {
        self.len()
    }

    fn bytes_at(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        self.at(position, wanted)
    }
}

impl Bytes for &[u8] {
    fn end(&self) -> u64 {
        self.len() as u64
    }

    #[inline]
    fn bytes_at(&mut self, position: u64, _wanted: usize) -> io::Result<&[u8]> {
        let from = usize::try_from(position).unwrap_or(usize::MAX);
        Ok(self.get(from..).unwrap_or_default())
    }
}

/// The position of the record at `target`, or of where it would begin when the segment ends first.
///
/// Starts at `hint`, an index entry at or below the target. An entry that turns out to be wrong costs a second walk from
/// the first record; only what fails then is an error. Records below the target are stepped over by their headers.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::{Access, Header, Source, resume, seek};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let directory = RealDirectory::open(&path)?;
/// let file = directory.file("00000000000000000000.log")?;
/// let len = file.stat()?.len;
/// let mut source = Source::new(file, len, Access::default())?;
/// let header = Header::read(&mut source)??;
/// let position = seek(&mut source, header, None, 1)?.expect("the way there is sound");
/// resume(&mut source, header, position, 1, &mut |met| {
///     assert_eq!(met.record.payload(), b"two");
///     ControlFlow::Break(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Bytes::bytes_at`]; the inner error is a record on the way that does not decode.
pub fn seek(
    source: &mut impl Bytes,
    header: Header,
    hint: Option<IndexEntry>,
    target: u64,
) -> io::Result<Result<u64, Failure>> {
    if let Some(entry) = hint
        && let Some(position) = seek_from(source, header, entry, target)?
    {
        return Ok(Ok(position));
    }
    walk(source, header, HEADER_BYTES, header.base_offset, target)
}

/// The same from an index entry; none when the entry does not lead there.
pub(crate) fn seek_from(
    source: &mut impl Bytes,
    header: Header,
    entry: IndexEntry,
    target: u64,
) -> io::Result<Option<u64>> {
    let leads = (header.base_offset..=target).contains(&entry.offset)
        && (HEADER_BYTES..source.end()).contains(&entry.position);
    if !leads {
        return Ok(None);
    }
    let found = walk(source, header, entry.position, entry.offset, target)?;
    Ok(found.ok())
}

fn walk(
    source: &mut impl Bytes,
    header: Header,
    mut position: u64,
    mut offset: u64,
    target: u64,
) -> io::Result<Result<u64, Failure>> {
    let mut wanted = Record::MIN;
    let end = source.end();
    // The record at the target is looked at too: it confirms the way there.
    while offset <= target && position < end {
        let bytes = source.bytes_at(position, wanted)?;
        let (found, length) = match Record::walk_prefix(bytes, header.version) {
            Ok((record, rest)) => (record.offset(), (bytes.len() - rest.len()) as u64),
            Err(error) => match shortfall(error, wanted, end - position) {
                Some(more) => {
                    wanted = more;
                    continue;
                }
                None => return Ok(Err(failure(error, bytes, position, end - position))),
            },
        };
        let wrong = if found == u64::MAX {
            Some(CorruptionKind::OffsetOverflow { offset: found })
        } else if found != offset {
            let expected = offset;
            Some(CorruptionKind::OffsetOutOfOrder { expected, found })
        } else {
            None
        };
        if let Some(kind) = wrong {
            let end = Some(position + length);
            return Ok(Err(Failure {
                position,
                kind,
                end,
            }));
        }
        if offset == target {
            break;
        }
        position += length;
        offset += 1;
        wanted = Record::MIN;
    }
    Ok(Ok(position))
}
