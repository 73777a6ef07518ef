//! Truncation, reset and restore, and what they leave.

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Log;

use super::Ledger;
use super::expectation::Expectation;
use super::perform::During;
use super::run::Run;
use crate::promise::Violation;

impl Run<'_> {
    /// What a call that cuts did; everything at or above `offset` goes.
    pub(super) fn cut_back(
        &mut self,
        log: &Log,
        cut: Result<(), StorageError>,
        offset: u64,
    ) -> Result<During, Violation> {
        if matches!(cut, Err(StorageError::BelowCommit { .. })) {
            return Ok(None);
        }
        let meanwhile = self.expected.ledger().being_cut(offset);
        let mut after = self.expected.ledger().clone();
        after.cut(offset);
        self.cut_done(log, cut, meanwhile, after, offset)
    }

    fn cut_done(
        &mut self,
        log: &Log,
        cut: Result<(), StorageError>,
        meanwhile: Ledger,
        after: Ledger,
        offset: u64,
    ) -> Result<During, Violation> {
        let during = Expectation::either(meanwhile, after.clone());
        match cut {
            Ok(()) => {
                // Their appends are settled: gone, even if nobody asks any more.
                self.waiting
                    .retain(|waiting| waiting.offsets().end <= offset);
                self.expected = after.into();
                Ok(Some(during))
            }
            Err(error) => {
                self.failed(&error)?;
                if log.metrics().poisoned {
                    self.expected = during.clone();
                    return Ok(Some(during));
                }
                Ok(None)
            }
        }
    }

    pub(super) fn restore(&mut self, log: &Log, back: u8) -> Result<During, Violation> {
        let offset = log.tail().saturating_sub(back.into()).max(log.base());
        let before = log.tail();
        let restored = log.restore_to(offset);
        let commits = self.expected.ledger().commit.clone();
        if *commits.end() > offset {
            // Lowered ahead of everything else; when that failed it is the old one or the new one.
            let low = (*commits.start()).min(offset);
            let high = if restored.is_ok() {
                offset
            } else {
                *commits.end()
            };
            self.expected.ledger_mut().commit = low..=high;
        }
        let mut during = match offset < before {
            true => self.cut_back(log, restored, offset)?,
            false => self.nothing(restored)?,
        };
        let lowered = self.expected.ledger().commit.clone();
        let widest = *lowered.start()..=*commits.end();
        match &mut during {
            Some(during) => during.each(|ledger| ledger.commit = widest.clone()),
            None => {
                let mut between = self.expected.clone();
                between.each(|ledger| ledger.commit = widest.clone());
                during = Some(between);
            }
        }
        Ok(during)
    }

    pub(super) fn reset(&mut self, log: &Log, base: u64) -> Result<During, Violation> {
        let reset = log.reset_to(base);
        if matches!(reset, Err(StorageError::BelowCommit { .. })) {
            return Ok(None);
        }
        let meanwhile = self.expected.ledger().being_cut(0);
        let mut after = self.expected.ledger().clone();
        after.reset(base);
        self.cut_done(log, reset, meanwhile, after, 0)
    }
}
