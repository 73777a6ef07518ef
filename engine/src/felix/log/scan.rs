//! What the log reads of its own segments: positions, last timestamps, producers.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::IndexEntry;
use ondisk::felix::name::SegmentFile;

use super::live::{LiveSegment, Phase};
use super::shared::Shared;
use crate::felix::error::StorageError;
use crate::felix::producer::ProducerState;
use crate::felix::segment::index::Entries;
use crate::felix::segment::{self, Access, Header, Met, Source};

/// The first version with producer marks (Felix 4.2).
const FIRST_MARKED_VERSION: u32 = 3;

impl Shared {
    /// The records of a segment, up to what is published of it, through a window: every failure is an error.
    fn source(&self, segment: &LiveSegment) -> io::Result<(Source<'static>, Header)> {
        let name = SegmentFile::Log { id: segment.id }.to_string();
        let file = match segment.file() {
            Some(file) => file,
            None => self.directory.file(&name)?,
        };
        let source = Source::new(file, segment.bytes(), Access::default())?;
        Ok((source, segment.header()))
    }

    /// Where the record at `offset` begins in `segment`, or would when it ends first.
    pub(super) fn position_of(
        &self,
        segment: &LiveSegment,
        offset: u64,
    ) -> Result<u64, StorageError> {
        let (mut source, header) = self
            .source(segment)
            .map_err(self.segment_error(segment.id, "open"))?;
        let hint = match segment.phase() {
            Phase::Active | Phase::Retired => segment.entry_at(offset),
            Phase::Sealed => self
                .entries_of(segment)
                .and_then(|entries| entries.last_until(offset, segment.bytes()).ok()?),
        };
        let found = segment::seek(&mut source, header, hint, offset)
            .map_err(self.segment_error(segment.id, "read"))?;
        found.map_err(|failure| {
            let corruption = failure.kind.at(segment.id, failure.position);
            corruption.in_shard(&self.label).into()
        })
    }

    /// The entries of its index below `position`.
    pub(super) fn entries_below(&self, segment: &LiveSegment, position: u64) -> Vec<IndexEntry> {
        let mut kept = match segment.phase() {
            Phase::Active | Phase::Retired => segment.entries(),
            Phase::Sealed => self.entries_of(segment).map(all_of).unwrap_or_default(),
        };
        kept.retain(|entry| entry.position < position);
        kept
    }

    /// The index file of a sealed segment.
    fn entries_of(&self, segment: &LiveSegment) -> Option<Entries> {
        let name = SegmentFile::Index { id: segment.id }.to_string();
        let file = self.directory.file(&name).ok()?;
        let len = file.stat().ok()?.len;
        Entries::open(file, len, segment.base_offset).ok()
    }

    /// The timestamp of the last record of a sealed segment: from its last index entry on.
    pub(super) fn read_last_timestamp(&self, segment: &LiveSegment) -> io::Result<Option<u64>> {
        let (mut source, header) = self.source(segment)?;
        let last = self
            .entries_of(segment)
            .and_then(|entries| entries.last().ok()?)
            .filter(|entry| entry.position < segment.bytes());
        let mut ignore = |_: &Met<'_>| ControlFlow::Continue(());
        if let Some(entry) = last {
            let scan = segment::resume(
                &mut source,
                header,
                entry.position,
                entry.offset,
                &mut ignore,
            )?;
            if scan.failure.is_none() {
                return Ok(scan.last_timestamp_micros);
            }
        }
        let scan = segment::resume(&mut source, header, 0, segment.base_offset, &mut ignore)?;
        Ok(scan
            .last_timestamp_micros
            .filter(|_| scan.failure.is_none()))
    }

    /// What the marks of the whole log amount to.
    pub(super) fn producers_of_log(&self) -> io::Result<ProducerState> {
        let mut state = ProducerState::default();
        let (base, tail) = (self.published.base(), self.published.tail());
        for segment in self.published.segments().iter() {
            if segment.version < FIRST_MARKED_VERSION {
                state.abandon();
                continue;
            }
            self.feed(&mut state, segment)?;
        }
        state.settle(tail);
        state.prune(base);
        Ok(state)
    }

    fn feed(&self, state: &mut ProducerState, segment: &Arc<LiveSegment>) -> io::Result<()> {
        let (mut source, header) = self.source(segment)?;
        let mut feed = |met: &Met<'_>| {
            state.feed(met.record);
            ControlFlow::Continue(())
        };
        let scan = segment::resume(&mut source, header, 0, segment.base_offset, &mut feed)?;
        match scan.failure {
            None => Ok(()),
            Some(failure) => {
                let corruption = failure.kind.at(segment.id, failure.position);
                let error = StorageError::from(corruption.in_shard(&self.label));
                Err(io::Error::other(error))
            }
        }
    }
}

fn all_of(mut entries: Entries) -> Vec<IndexEntry> {
    let mut all = Vec::new();
    // What cannot be read is not there: the index is derived.
    while let Ok(Some(entry)) = entries.next_entry() {
        all.push(entry);
    }
    all
}
