//! A plan while it is being made: the directory as it will be after what is planned so far.

use std::collections::BTreeSet;
use std::ops::Range;

use ondisk::felix::ManifestEntry;
use ondisk::felix::name::{SegmentFile, Sidecar};

use super::gap::Copies;
use super::report::{Cut, Removal, Removed};
use super::side::SideNames;
use super::{
    Plan, PlannedLog, PlannedSegment, Refusal, Report, Rule, Rules, Scans, Settings, Step, Verdict,
    judge,
};
use crate::disk::EntryKind;
use crate::felix::error::{CorruptionKind, StorageError};
use crate::felix::mark::Mark;
use crate::felix::segment::{self, Failure, HEADER_BYTES, Header, Scan};

/// Why planning ends early.
pub(super) enum Stop {
    /// The open is refused.
    Refused(Refusal),
    /// The disk failed.
    Failed(StorageError),
}

impl From<StorageError> for Stop {
    fn from(error: StorageError) -> Self {
        Self::Failed(error)
    }
}

/// A segment, as it will be after what is planned so far.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) id: u64,
    /// Its name now.
    pub(super) file: SegmentFile,
    /// Its length now.
    pub(super) file_bytes: u64,
    /// Its length as planned.
    pub(super) bytes: u64,
    /// What it holds, once that is settled.
    pub(super) held: Option<Held>,
}

/// The records of a segment that is settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) header: Header,
    pub(super) next_offset: u64,
}

impl Piece {
    pub(super) fn is_cut(&self) -> bool {
        self.bytes != self.file_bytes
    }
}

pub(super) struct Draft<'a> {
    pub(super) scans: &'a Scans<'a>,
    pub(super) mark: Mark,
    pub(super) copies: Copies<'a>,
    pub(super) settings: &'a Settings,
    /// The segments that are left, oldest first.
    pub(super) pieces: Vec<Piece>,
    pub(super) reports: Vec<Report>,
    pub(super) steps: Vec<Step>,
    side: SideNames<'a>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        scans: &'a Scans<'a>,
        mark: Mark,
        manifest: &'a [ManifestEntry],
        settings: &'a Settings,
    ) -> Self {
        let pieces = scans.shard().segments().filter_map(|segment| {
            let (file, file_bytes) = (SegmentFile::Log { id: segment.id }, segment.bytes?);
            Some(Piece {
                id: segment.id,
                file,
                file_bytes,
                bytes: file_bytes,
                held: None,
            })
        });
        Self {
            scans,
            mark,
            copies: Copies::of(manifest),
            settings,
            pieces: pieces.collect(),
            reports: Vec::new(),
            steps: Vec::new(),
            side: SideNames::new(scans.shard()),
        }
    }

    /// Felix 7.7, step by step.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        if self.settings.provable.blank_segments {
            self.blank_inside_chain()?;
            self.abandoned()?;
        }
        self.blank_first()?;
        self.interrupted_reset()?;
        if self.pieces.is_empty() {
            self.fresh()?;
        } else if let Err(stop) = self.chain() {
            self.unfinished_roll(stop)?;
            self.chain()?;
        }
        self.short_of_mark();
        Ok(())
    }

    /// No segment is left: the log starts at its placed base, which must leave room for a tail behind a record.
    fn fresh(&mut self) -> Result<(), StorageError> {
        if self.settings.open_at == u64::MAX {
            return Err(StorageError::InvalidRange);
        }
        // The mark is of another log now, and must not vouch for this one.
        if self.scans.shard().sidecar(Sidecar::DurableMark) == Some(EntryKind::File) {
            self.steps.push(Step::RemoveMark);
        }
        self.steps.push(Step::Create {
            segment: 0,
            base_offset: self.settings.open_at,
        });
        Ok(())
    }

    /// The records of a segment as planned; the inner error is its header's.
    pub(super) fn full(&self, piece: &Piece) -> Result<Result<Scan, CorruptionKind>, StorageError> {
        let scanned = self.scans.full(piece.id)?;
        Ok(scanned.records.clone().map(|scan| {
            // A cut is made where the failure begins, so it leaves what was intact.
            let failure = scan.failure.filter(|_| !piece.is_cut());
            Scan { failure, ..scan }
        }))
    }

    /// Decides on a record that does not decode.
    pub(super) fn judge(
        &self,
        piece: &Piece,
        failure: &Failure,
        rules: Rules,
    ) -> Result<Verdict, StorageError> {
        let mut source = self.scans.open(piece.id)?;
        let zeros = || segment::zero_run(&mut source, failure.position);
        judge(failure, piece.id, piece.bytes, rules, self.mark, zeros)
            .map_err(self.scans.reading(piece.id))
    }

    /// Plans to cut a segment at a failure, and reports it.
    pub(super) fn cut(&mut self, index: usize, failure: &Failure, rule: Rule) {
        let piece = &self.pieces[index];
        let (segment, position) = (piece.id, failure.position);
        let bytes = piece.bytes - position;
        let saved = (rule != Rule::TornTail).then(|| self.save(index, position));
        let below_durable_mark = position < self.mark.synced_through(segment);
        self.shorten(index, position);
        let cause = failure.kind;
        self.reports.push(Report::Cut(Cut {
            rule,
            segment,
            position,
            bytes,
            cause,
            below_durable_mark,
            saved,
        }));
    }

    /// Plans to keep the bytes of a segment from `position` on in a file beside it.
    pub(super) fn save(&mut self, index: usize, position: u64) -> SegmentFile {
        let Piece {
            id: segment, bytes, ..
        } = self.pieces[index];
        let to = self.side.take(segment, position);
        self.steps.push(Step::Save {
            segment,
            from: position,
            bytes: bytes - position,
            to,
        });
        to
    }

    /// Plans to set the length of a segment.
    pub(super) fn shorten(&mut self, index: usize, position: u64) {
        let piece = &mut self.pieces[index];
        piece.bytes = position;
        self.steps.push(Step::Cut {
            segment: piece.id,
            position,
        });
    }

    /// Plans to remove these segments and their indexes, oldest first, and reports each. The directory is still to be
    /// synced, but for a gap: there, several unlinks under one sync could leave a hole in the log.
    pub(super) fn remove(&mut self, range: Range<usize>, why: Removal) {
        let pieces: Vec<Piece> = self.pieces.drain(range).collect();
        for piece in pieces {
            self.removed(&piece, why);
            if why == Removal::OffloadedGap {
                self.sync_directory();
            }
        }
    }

    /// Plans to take away a segment that is no longer among the pieces, and reports it.
    pub(super) fn removed(&mut self, piece: &Piece, why: Removal) {
        let saved = self.unlink(piece, why != Removal::OffloadedGap);
        self.reports.push(Report::Removed(Removed {
            why,
            segment: piece.id,
            bytes: piece.bytes,
            saved,
        }));
    }

    /// Plans to take a segment and its index away. It is kept under another name when it holds more than a header,
    /// unless there is a copy of it elsewhere.
    pub(super) fn unlink(&mut self, piece: &Piece, keep: bool) -> Option<SegmentFile> {
        let Piece {
            id, file, bytes, ..
        } = *piece;
        let saved = (keep && bytes > HEADER_BYTES).then(|| self.side.take(id, 0));
        self.steps.push(match saved {
            Some(to) => Step::Rename { from: file, to },
            None => Step::Unlink { file },
        });
        let index = SegmentFile::Index { id };
        if self.scans.shard().is_regular(index) {
            self.steps.push(Step::Unlink { file: index });
        }
        saved
    }

    pub(super) fn sync_directory(&mut self) {
        self.steps.push(Step::SyncDirectory);
    }

    pub(super) fn into_reports(self) -> Vec<Report> {
        self.reports
    }

    pub(super) fn finish(mut self) -> Plan {
        // The index of a segment that goes later in the plan needs no writing, and none is written twice.
        let mut unwritten: BTreeSet<u64> = self.pieces.iter().map(|piece| piece.id).collect();
        self.steps.retain(|step| match step {
            Step::WriteIndex { segment } => unwritten.remove(segment),
            _ => true,
        });
        let segments = self.pieces.iter().filter_map(|piece| {
            let Held {
                header,
                next_offset,
            } = piece.held?;
            Some(PlannedSegment {
                id: piece.id,
                file: piece.file,
                version: header.version,
                base_offset: header.base_offset,
                next_offset,
                file_bytes: piece.file_bytes,
                valid_bytes: piece.bytes,
            })
        });
        let segments: Vec<PlannedSegment> = segments.collect();
        let base = segments
            .first()
            .map_or(self.settings.open_at, |first| first.base_offset);
        let tail = segments.last().map_or(base, |last| last.next_offset);
        let log = PlannedLog {
            base,
            tail,
            segments,
        };
        Plan::accepted(
            self.scans.shard(),
            self.mark,
            *self.settings,
            self.reports,
            self.steps,
            log,
        )
    }
}
