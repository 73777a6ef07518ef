//! Bytes at the end of a log that do not decode: a record that is on its way, or damage (Felix 7.3).
//!
//! Whoever only looks at a log cannot ask its writer. Two things are needed for damage. The same bytes were there at the
//! look before, so that it is no write that was half seen. And recovery would not cut them off: what the mark does not
//! vouch for was never flushed, and may be on its way for as long as it takes.

use std::io;

use ondisk::felix::DurableMark;

use crate::disk::Directory;
use crate::felix::mark::Mark;
use crate::felix::recovery::{Rules, Settings, Verdict, judge};
use crate::felix::segment::{Failure, Source, zero_run};
use crate::felix::shard::read_mark;

/// What did not decode at the last look.
#[derive(Debug, Default)]
pub(super) struct Doubt {
    /// The segment, and what is wrong: with the checksum that its bytes give, so that other bytes are another failure.
    seen: Option<(u64, Failure)>,
}

impl Doubt {
    /// The mark, if there was something in doubt. To be read ahead of the records: it never vouches for more than is there.
    pub(super) fn mark(&self, directory: &dyn Directory) -> Mark {
        let bytes = self.seen.and_then(|_| read_mark(directory).ok());
        let mark = bytes.and_then(|bytes| Some(DurableMark::view(&bytes).ok()?.to_value()));
        Mark(mark)
    }

    /// Whether `failure`, which ended this look at `segment`, is damage.
    pub(super) fn is_damage(
        &mut self,
        segment: u64,
        failure: &Failure,
        source: &mut Source<'_>,
        mark: Mark,
        settings: &Settings,
    ) -> io::Result<bool> {
        let now = Some((segment, *failure));
        if std::mem::replace(&mut self.seen, now) != now {
            return Ok(false);
        }
        let (eof, rules) = (source.len(), Rules::of(settings));
        let zeros = || zero_run(source, failure.position);
        let verdict = judge(failure, segment, eof, rules, mark, zeros)?;
        Ok(matches!(verdict, Verdict::Refuse(_)))
    }

    /// All that is there decodes.
    pub(super) fn settle(&mut self) {
        self.seen = None;
    }
}
