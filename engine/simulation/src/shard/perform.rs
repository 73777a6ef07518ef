//! What each step does to the log and to its ledger.

use std::time::Duration;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Log, Mark};

use super::Op;
use super::expectation::Expectation;
use super::offload;
use super::run::Run;
use crate::promise::Violation;

/// What may be found meanwhile, where that is more than what lies between before and after.
pub(super) type During = Option<Expectation>;

impl Run<'_> {
    pub(super) fn perform(&mut self, op: &Op) -> Result<During, Violation> {
        let log = self.log.clone().expect("open between steps");
        match op {
            Op::Append(sizes) => self.append(&log, &marked(sizes, Mark::Ordinary), true)?,
            Op::Enqueue(sizes) => self.append(&log, &marked(sizes, Mark::Ordinary), false)?,
            Op::Wait => self.wait(&log)?,
            Op::Produce {
                producer,
                len,
                held,
            } => self.produce(&log, *producer, (*len).max(1), (*held).max(1))?,
            Op::Retry(producer) => self.retry(&log, *producer)?,
            Op::GenerationStart => self.generation_start(&log)?,
            Op::Sync => {
                if let Err(error) = log.sync() {
                    self.failed(&error)?;
                }
            }
            Op::Roll => {
                if let Err(error) = log.roll() {
                    self.failed(&error)?;
                }
            }
            Op::Background => {
                self.environment.background.run_ready();
                self.trimmed(&log, self.armed);
            }
            Op::Retain => {
                let done = log.retain();
                if let Err(error) = &done {
                    self.failed(error)?;
                }
                self.trimmed(&log, done.is_err());
            }
            Op::Truncate(back) => {
                let offset = log.tail().saturating_sub((*back).into());
                let before = log.tail();
                let cut = log.truncate(offset);
                return if offset < before {
                    self.cut_back(&log, cut, offset)
                } else {
                    self.nothing(cut)
                };
            }
            Op::Restore(back) => return self.restore(&log, *back),
            Op::Reset(base) => return self.reset(&log, u64::from(*base)),
            Op::Advance(seconds) => self.clock.advance(Duration::from_secs((*seconds).into())),
            Op::Jump(seconds) => self.jump(*seconds),
            Op::Epoch => self.epoch(&log)?,
            Op::Accept { raise, leader } => self.accept(&log, *raise, *leader)?,
            Op::GiveUp => self.give_up(&log)?,
            Op::Commit(back) => {
                let commit = log.tail().saturating_sub((*back).into());
                if log.advance_commit(commit).is_ok() {
                    let commits = &mut self.expected.ledger_mut().commit;
                    *commits = *commits.start()..=(*commits.end()).max(commit);
                }
            }
            // Of more than one stage.
            Op::Offload | Op::Close | Op::Drop | Op::Cut(_) => {}
        }
        Ok(None)
    }

    /// Retention has moved the base, or not.
    fn trimmed(&mut self, log: &Log, may_come_back: bool) {
        let base = log.base();
        let ledger = self.expected.ledger_mut();
        if base > *ledger.base.start() {
            ledger.trim(base, may_come_back);
        }
    }

    /// What a call that did nothing may say.
    pub(super) fn nothing(&self, done: Result<(), StorageError>) -> Result<During, Violation> {
        if let Err(error) = done {
            self.failed(&error)?;
        }
        Ok(None)
    }

    fn jump(&self, seconds: i16) {
        use ondisk_engine::clock::Clock;
        let by = i64::from(seconds) * 1_000_000;
        self.clock
            .set_wall(self.clock.wall_micros().saturating_add_signed(by));
    }

    /// A clean end; the log is open again when the step has ended.
    pub(super) fn close(&mut self) -> Result<(), Violation> {
        let Some(log) = self.log.take() else {
            return Ok(());
        };
        let commit = log.accepted().commit;
        let tail = log.tail();
        let closed = log.close();
        self.waiting.clear();
        match closed {
            Ok(()) => {
                let ledger = self.expected.ledger_mut();
                ledger.flushed(tail);
                ledger.commit = commit..=commit;
            }
            Err(error) => self.failed(&error)?,
        }
        Ok(())
    }

    /// Writes a manifest that names all sealed segments, as an uploader would.
    pub(super) fn offload(&mut self) -> Result<(), Violation> {
        let entries = match offload::sealed(&self.disk.root()) {
            Ok(entries) => entries,
            Err(error) => return self.failed(&error),
        };
        let ledger = self.expected.ledger_mut();
        match offload::store(&self.disk.root(), &entries) {
            Ok(()) => ledger.manifests = vec![entries],
            Err(_) => ledger.manifests.push(entries),
        }
        Ok(())
    }
}

fn marked(sizes: &[u16], mark: Mark) -> Vec<(u16, Mark)> {
    match sizes {
        [] => vec![(0, mark)],
        _ => sizes.iter().map(|&size| (size, mark)).collect(),
    }
}
