//! Sealed segments, the chain, and the active segment (Felix 7.7, steps 3 and 4).

use std::ops::ControlFlow;

use super::draft::{Draft, Held, Stop};
use super::{IndexReason, Refusal, Report, Rules, Step, Verdict};
use crate::felix::error::{Corruption, CorruptionKind};
use crate::felix::segment::index::Standing;
use crate::felix::segment::{self, HEADER_BYTES, Header, Met};

impl Draft<'_> {
    /// Settles each segment from the oldest on. Offsets alone chain them: each begins where the one before ends, the first
    /// may begin anywhere.
    pub(super) fn chain(&mut self) -> Result<(), Stop> {
        let mut index = 0;
        let mut expected = None;
        while index < self.pieces.len() {
            let active = index + 1 == self.pieces.len();
            let (base, next) = if active {
                (self.header(index)?.base_offset, None)
            } else {
                self.sealed(index)?
            };
            if let Some(expected) = expected.filter(|&expected| expected != base) {
                if self.offloaded_gap(index, expected, base) {
                    index = 0;
                } else {
                    let kind = CorruptionKind::OffsetOutOfOrder {
                        expected,
                        found: base,
                    };
                    return Err(refuse(kind.at(self.pieces[index].id, 0)));
                }
            }
            expected = match next {
                Some(next) => Some(next),
                None => Some(self.active(index)?),
            };
            index += 1;
        }
        Ok(())
    }

    /// Settles a sealed segment; gives its base and where it ends. It is never repaired.
    fn sealed(&mut self, index: usize) -> Result<(u64, Option<u64>), Stop> {
        if let Some(held) = self.pieces[index].held {
            return Ok((held.header.base_offset, Some(held.next_offset)));
        }
        let header = self.header(index)?;
        let next_offset = match self.resumed(index, header)? {
            Some(next_offset) => next_offset,
            None => self.scanned(index)?,
        };
        self.pieces[index].held = Some(Held {
            header,
            next_offset,
        });
        Ok((header.base_offset, Some(next_offset)))
    }

    /// Where a sealed segment ends, from its last index entry on. None when the index does not lead there: it must have an
    /// entry, that entry must be of a record, and all from there to the end of the file must be records.
    fn resumed(&self, index: usize, header: Header) -> Result<Option<u64>, Stop> {
        let piece = &self.pieces[index];
        if self.settings.verify_all_on_open || piece.is_cut() {
            return Ok(None);
        }
        let Ok(entries) = self.scans.index(piece.id, header.base_offset) else {
            return Ok(None);
        };
        let Ok(Some(last)) = entries.last() else {
            return Ok(None);
        };
        if last.position >= piece.bytes || last.offset < header.base_offset {
            return Ok(None);
        }
        let mut source = self.scans.open(piece.id)?;
        let mut visit = |_: &Met<'_>| ControlFlow::Continue(());
        let scan = segment::resume(&mut source, header, last.position, last.offset, &mut visit)
            .map_err(self.scans.reading(piece.id))?;
        let accepted = scan.failure.is_none() && scan.kinds.total() > 0;
        if accepted {
            self.scans.settled(piece.bytes);
        }
        Ok(accepted.then_some(scan.next_offset))
    }

    /// Where a sealed segment ends, from a full scan, after which its index is written anew.
    fn scanned(&mut self, index: usize) -> Result<u64, Stop> {
        let piece = &self.pieces[index];
        let segment = piece.id;
        let scan = self
            .full(piece)?
            .map_err(|kind| refuse(kind.at(segment, 0)))?;
        if let Some(failure) = scan.failure {
            return Err(refuse(failure.kind.at(segment, failure.position)));
        }
        let reason = match self.scans.full(segment)?.index {
            Standing::Unusable(_) => Some(IndexReason::Missing),
            Standing::Empty if scan.kinds.total() > 0 => Some(IndexReason::Missing),
            Standing::Wrong => Some(IndexReason::Mismatch),
            Standing::Empty | Standing::Right if self.settings.verify_all_on_open => {
                Some(IndexReason::VerifyAll)
            }
            Standing::Empty | Standing::Right => None,
        };
        if let Some(reason) = reason {
            self.reports.push(Report::IndexRebuilt { segment, reason });
        }
        if reason.is_some() || self.pieces[index].is_cut() {
            self.steps.push(Step::WriteIndex { segment });
        }
        Ok(scan.next_offset)
    }

    /// Settles the active segment; gives where it ends. Its index is always written anew.
    fn active(&mut self, index: usize) -> Result<u64, Stop> {
        let header = self.header(index)?;
        let piece = &self.pieces[index];
        let (segment, next_offset) = (piece.id, header.base_offset);
        // What waits under a temporary name is a header and nothing else.
        let next_offset = if piece.bytes == HEADER_BYTES {
            next_offset
        } else {
            self.repaired(index)?
        };
        self.pieces[index].held = Some(Held {
            header,
            next_offset,
        });
        self.steps.push(Step::WriteIndex { segment });
        Ok(next_offset)
    }

    /// A full scan of the active segment with the configured repairs.
    fn repaired(&mut self, index: usize) -> Result<u64, Stop> {
        let piece = &self.pieces[index];
        let segment = piece.id;
        let scan = self
            .full(piece)?
            .map_err(|kind| refuse(kind.at(segment, 0)))?;
        if let Some(failure) = scan.failure {
            match self.judge(piece, &failure, Rules::of(self.settings))? {
                Verdict::Cut(rule) => self.cut(index, &failure, rule),
                Verdict::Refuse(opt_in) => {
                    let corruption = failure.kind.at(segment, failure.position);
                    return Err(Stop::Refused(Refusal::Corruption { corruption, opt_in }));
                }
            }
        }
        Ok(scan.next_offset)
    }

    /// The header of a segment, which is fatal if it does not verify.
    pub(super) fn header(&self, index: usize) -> Result<Header, Stop> {
        let piece = &self.pieces[index];
        if let Some(held) = piece.held {
            return Ok(held.header);
        }
        let mut source = self.scans.glance(piece.file)?;
        let header = Header::read(&mut source).map_err(self.scans.reading(piece.id))?;
        header.map_err(|kind| refuse(kind.at(piece.id, 0)))
    }
}

fn refuse(corruption: Corruption) -> Stop {
    Stop::Refused(Refusal::Corruption {
        corruption,
        opt_in: None,
    })
}
