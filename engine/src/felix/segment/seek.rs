//! Finding a record (Felix 5, 9).

use std::io;

use ondisk::felix::{IndexEntry, Record};

use super::scan::{failure, shortfall};
use super::{Failure, HEADER_BYTES, Header, Source};
use crate::felix::error::CorruptionKind;

/// The position of the record at `target`, or of where it would begin when the segment ends first.
///
/// Starts at `hint`, an index entry at or below the target. An entry that turns out to be wrong costs a second walk from
/// the first record; only what fails then is an error. Records below the target are stepped over by their headers.
///
/// # Errors
/// Those of [`Source::at`]; the inner error is a record on the way that does not decode.
pub fn seek(
    source: &mut Source<'_>,
    header: Header,
    hint: Option<IndexEntry>,
    target: u64,
) -> io::Result<Result<u64, Failure>> {
    let within = |entry: &IndexEntry| entry.offset <= target && entry.position < source.len();
    if let Some(entry) = hint.filter(within)
        && let Ok(position) = walk(source, header, entry.position, entry.offset, target)?
    {
        return Ok(Ok(position));
    }
    walk(source, header, HEADER_BYTES, header.base_offset, target)
}

fn walk(
    source: &mut Source<'_>,
    header: Header,
    mut position: u64,
    mut offset: u64,
    target: u64,
) -> io::Result<Result<u64, Failure>> {
    let mut wanted = Record::MIN;
    // The record at the target is looked at too: it confirms the way there.
    while offset <= target && position < source.len() {
        let left = source.len() - position;
        let bytes = source.at(position, wanted)?;
        match Record::walk_prefix(bytes, header.version) {
            Ok((record, rest)) => {
                let end = position + (bytes.len() - rest.len()) as u64;
                let found = record.offset();
                if found == u64::MAX {
                    let kind = CorruptionKind::OffsetOverflow { offset: found };
                    return Ok(Err(Failure {
                        position,
                        kind,
                        end: Some(end),
                    }));
                }
                if found != offset {
                    let kind = CorruptionKind::OffsetOutOfOrder {
                        expected: offset,
                        found,
                    };
                    return Ok(Err(Failure {
                        position,
                        kind,
                        end: Some(end),
                    }));
                }
                if offset == target {
                    return Ok(Ok(position));
                }
                position = end;
                offset += 1;
                wanted = Record::MIN;
            }
            Err(error) => match shortfall(error, wanted, left) {
                Some(more) => wanted = more,
                None => return Ok(Err(failure(error, bytes, position, left))),
            },
        }
    }
    Ok(Ok(position))
}
