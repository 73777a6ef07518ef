//! One pass over the records of a segment (Felix 7.2).

use std::io;
use std::ops::ControlFlow;

use ondisk::felix::{Record, RecordKind, RecordView};
use ondisk::{Error, Fault};

use super::geometry::Word;
use super::{HEADER_BYTES, Header, Source};
use crate::felix::error::CorruptionKind;

/// What a pass over the records finds: those that are intact from the front, and what ended them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The header.
    pub header: Header,
    /// One past the offset of the last intact record; where the pass began, if there is none.
    pub next_offset: u64,
    /// Where the last intact record ends, in bytes.
    pub valid_bytes: u64,
    /// How many intact records were met, by kind.
    pub kinds: Kinds,
    /// Timestamp of the last of them, in microseconds since the epoch.
    pub last_timestamp_micros: Option<u64>,
    /// What stands at `valid_bytes` and ended the pass; none at the end of the file, or where the visitor broke off.
    pub failure: Option<Failure>,
}

/// A record that does not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its first byte.
    pub position: u64,
    /// What is wrong with it.
    pub kind: CorruptionKind,
    /// Where it would end, if its header verified: a length in a header that does not verify means nothing.
    pub end: Option<u64>,
}

/// Numbers of records by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Unmarked records.
    pub ordinary: u64,
    /// Records that open a producer batch.
    pub opens: u64,
    /// Records that continue one.
    pub continues: u64,
    /// Generation starts.
    pub generation_start: u64,
}

impl Kinds {
    /// Counts one more.
    pub fn count(&mut self, kind: RecordKind) {
        *match kind {
            RecordKind::Ordinary => &mut self.ordinary,
            RecordKind::Opens => &mut self.opens,
            RecordKind::Continues => &mut self.continues,
            RecordKind::GenerationStart => &mut self.generation_start,
        } += 1;
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.ordinary + self.opens + self.continues + self.generation_start
    }

    /// Whether no record bears a producer's mark.
    #[must_use]
    pub fn unmarked(&self) -> bool {
        self.opens == 0 && self.continues == 0
    }
}

/// An intact record, as a pass meets it.
#[derive(Clone, Copy)]
pub struct Met<'a> {
    /// Its first byte in the segment.
    pub position: u64,
    /// Bytes from there to the next one: header, tag and payload.
    pub bytes: u64,
    /// The record.
    pub record: RecordView<'a>,
}

/// What is done with each intact record; the pass ends after one that breaks.
pub type Visit<'v> = &'v mut dyn FnMut(&Met<'_>) -> ControlFlow<()>;

/// Scans from the first record on, and hands every intact record to `visit`. The inner error is the header's.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::{Access, Source, full};
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
/// let mut payloads = Vec::new();
/// let scan = full(&mut source, &mut |met| {
///     payloads.push(met.record.payload().to_vec());
///     ControlFlow::Continue(())
/// })??;
/// assert_eq!(payloads, [b"one", b"two"]);
/// assert_eq!((scan.next_offset, scan.valid_bytes, scan.failure), (2, len, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Source::at`].
pub fn full(source: &mut Source<'_>, visit: Visit<'_>) -> io::Result<Result<Scan, CorruptionKind>> {
    match Header::read(source)? {
        Ok(header) => Ok(Ok(scan(
            source,
            header,
            HEADER_BYTES,
            header.base_offset,
            visit,
        )?)),
        Err(kind) => Ok(Err(kind)),
    }
}

/// Scans from the record at `position` on, where `offset` is wanted.
///
/// # Errors
/// Those of [`Source::at`].
pub fn resume(
    source: &mut Source<'_>,
    header: Header,
    position: u64,
    offset: u64,
    visit: Visit<'_>,
) -> io::Result<Scan> {
    scan(source, header, position.max(HEADER_BYTES), offset, visit)
}

fn scan(
    source: &mut Source<'_>,
    header: Header,
    position: u64,
    offset: u64,
    visit: Visit<'_>,
) -> io::Result<Scan> {
    let mut scan = Scan {
        header,
        next_offset: offset,
        valid_bytes: position,
        kinds: Kinds::default(),
        last_timestamp_micros: None,
        failure: None,
    };
    let mut wanted = Record::MIN;
    while scan.valid_bytes < source.len() {
        let len = source.len();
        let bytes = source.at(scan.valid_bytes, wanted)?;
        let mut stretch = bytes.get(..wanted.max(STRETCH)).unwrap_or(bytes);
        wanted = Record::MIN;
        let error = match walk(&mut stretch, &mut scan, visit) {
            Ok(ControlFlow::Continue(())) => continue,
            Ok(ControlFlow::Break(())) => break,
            Err(error) => error,
        };
        let (position, left) = (scan.valid_bytes, len - scan.valid_bytes);
        scan.failure = match error {
            Stop::Undecoded(error) => match shortfall(error, stretch.len(), left) {
                // Only the stretch ends here, not the file.
                Some(more) => {
                    wanted = more;
                    continue;
                }
                None => Some(failure(error, stretch, position, left)),
            },
            Stop::OutOfOrder { found, bytes } => Some(Failure {
                position,
                kind: CorruptionKind::OffsetOutOfOrder {
                    expected: scan.next_offset,
                    found,
                },
                end: Some(position + bytes),
            }),
        };
        break;
    }
    Ok(scan)
}

/// Bytes walked over at once, unless a record is longer: progress is told in between.
const STRETCH: usize = 1 << 20;

/// What ends a walk before its bytes do.
enum Stop {
    /// The next record does not decode, or is not whole.
    Undecoded(Error),
    /// The next record is intact, takes `bytes`, and is not the one that belongs here.
    OutOfOrder { found: u64, bytes: u64 },
}

/// Steps over the records at the front of `stretch`, and leaves what lies behind those that are intact.
fn walk(stretch: &mut &[u8], scan: &mut Scan, visit: Visit<'_>) -> Result<ControlFlow<()>, Stop> {
    while !stretch.is_empty() {
        let (record, rest) =
            Record::view_prefix(stretch, scan.header.version).map_err(Stop::Undecoded)?;
        let bytes = (stretch.len() - rest.len()) as u64;
        let found = record.offset();
        if found != scan.next_offset {
            return Err(Stop::OutOfOrder { found, bytes });
        }
        let met = Met {
            position: scan.valid_bytes,
            bytes,
            record,
        };
        let flow = visit(&met);
        scan.kinds.count(record.kind());
        scan.last_timestamp_micros = Some(record.timestamp_micros());
        // Check 10 of Felix 4.3 keeps the offset below the highest; saturating says so to the compiler.
        scan.next_offset = found.saturating_add(1);
        scan.valid_bytes += bytes;
        *stretch = rest;
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// How many bytes a record needs that is longer than what was looked at, but not than the file.
pub(crate) fn shortfall(error: Error, wanted: usize, left: u64) -> Option<usize> {
    match error.fault() {
        Fault::Short { needed, .. } if needed <= left => {
            usize::try_from(needed).ok().filter(|&more| more > wanted)
        }
        _ => None,
    }
}

/// What an error of the record at `position` means; `left` is the number of bytes from there to the end of the file.
pub(crate) fn failure(error: Error, bytes: &[u8], position: u64, left: u64) -> Failure {
    let word = Word::of(bytes);
    let kind = match CorruptionKind::of_record(error, word.map_or(0, |word| word.0)) {
        // The definition saw a window at most, the file has the last word.
        CorruptionKind::Truncated { needed, .. } => CorruptionKind::Truncated {
            needed,
            available: left,
        },
        kind => kind,
    };
    let verified = !matches!(
        kind,
        CorruptionKind::RecordHeaderChecksum { .. } | CorruptionKind::Undescribed { .. }
    );
    let end = word
        .filter(|_| verified)
        .map(|word| position.saturating_add(word.record_bytes()));
    Failure {
        position,
        kind,
        end,
    }
}
