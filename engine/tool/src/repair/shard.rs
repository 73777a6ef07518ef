//! Repairing one shard.

use std::sync::Arc;

use ondisk_engine::clock::{Clock as _, SystemClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::recovery::{Applied, apply, give_up, lower_mark, settle_given_up};
use ondisk_engine::felix::segment::Access;

use super::ahead::Ahead;
use super::consent::{Consent, consent};
use super::document;
use super::held::{self, HeldRoot};
use super::show;
use super::still::Still;
use crate::args::Repair;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::{self, Question, Seen, Verdict};
use crate::output::Out;
use crate::output::json::{Json, Layout};
use crate::output::progress::Progress;
use crate::place;
use crate::verify;

/// Repairs the shard in `directory`, and takes hold of the data directory that it lies in.
pub(super) fn run(
    directory: &Arc<dyn Directory>,
    args: &Repair,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let root = match place::enclosing(directory.path())? {
        Some(root) => Some(HeldRoot::take(root, args)?),
        None => None,
    };
    let task = Task {
        directory,
        root: root.as_ref(),
        question: Question::planned(args.said, args.planning),
        args,
    };
    if !args.json {
        return task.run(&mut Told::Words(out));
    }
    let mut json = Json::new(out);
    json.object(Layout::Lines)?;
    let ended = task.run(&mut Told::Document(&mut json));
    if let Err(failure) = &ended {
        json.close_to(1)?;
        json.field("could_not", failure.to_string())?;
    }
    json.end()?;
    json.finish()?;
    ended
}

/// One shard to repair.
pub(super) struct Task<'a> {
    pub(super) directory: &'a Arc<dyn Directory>,
    pub(super) root: Option<&'a HeldRoot>,
    pub(super) question: Question,
    pub(super) args: &'a Repair,
}

/// Where it is told.
pub(super) enum Told<'t, 'w> {
    /// To a person.
    Words(&'t mut Out<'w>),
    /// To a person who knows what was found.
    Briefly(&'t mut Out<'w>),
    /// As fields of an object.
    Document(&'t mut Json<'w>),
}

/// What became of a plan.
pub(super) enum Done {
    /// There was nothing to do.
    Sound,
    /// It is refused.
    Refused,
    /// It was not to be done, and why.
    Withheld(String),
    /// It was done.
    Repaired(Applied),
}

impl Task<'_> {
    /// Looks, shows, asks, does, looks again.
    pub(super) fn run(&self, told: &mut Told<'_, '_>) -> Result<Exit, Failure> {
        // To the end of this function, the last look included.
        let _lock = held::lock(self.directory)?;
        let still = Still::look(self.directory)?;
        let (done, exit) = self.look(|seen| self.decide(seen, still, told))?;
        if !matches!(done, Done::Repaired(_)) {
            return Ok(exit);
        }
        self.look(|seen| {
            let verdict = Verdict::of(seen);
            match told {
                Told::Words(out) | Told::Briefly(out) => show::after(seen, &verdict, out)?,
                Told::Document(json) => {
                    json.key("after")?;
                    verify::shard::document(json, seen)?;
                }
            }
            Ok(verdict.exit())
        })
    }

    fn look<R>(&self, then: impl FnOnce(&Seen<'_>) -> Result<R, Failure>) -> Result<R, Failure> {
        let progress = Progress::new(verify::shard::bytes_of(self.directory));
        let read = |bytes| progress.done(bytes);
        let access = Access {
            progress: Some(&read),
            ..look::access(self.args.work)
        };
        look::shard(self.directory, self.question, access, |seen| {
            progress.clear();
            then(seen)
        })
    }

    fn decide(
        &self,
        seen: &Seen<'_>,
        mut still: Still,
        told: &mut Told<'_, '_>,
    ) -> Result<(Done, Exit), Failure> {
        let verdict = Verdict::of(seen);
        let plan = seen.opening.plan.as_ref();
        let damaged = verdict.is_damaged();
        let ahead = plan
            .filter(|_| damaged && seen.opening.refusal.is_none())
            .map(|plan| Ahead::of(seen, plan, self.root));
        match told {
            Told::Words(out) => show::before(seen, &verdict, ahead.as_ref(), out)?,
            Told::Briefly(out) => show::ahead(&verdict, ahead.as_ref(), out)?,
            Told::Document(json) => document::before(json, seen)?,
        }
        // All that was looked at stood still from before the look to here.
        still.check()?;
        let done = match &ahead {
            Some(ahead) => match consent(ahead.planned, seen.shard.path(), self.args)? {
                Consent::Given => Done::Repaired(self.apply(ahead, &mut still)?),
                Consent::Withheld(why) => Done::Withheld(why),
            },
            None if damaged => Done::Refused,
            None if verdict.exit() == Exit::Sound => Done::Sound,
            None => Done::Withheld("it could not be looked at whole".to_owned()),
        };
        match told {
            Told::Words(out) => show::done(seen, &verdict, ahead.as_ref(), &done, self.root, out)?,
            Told::Briefly(out) => show::became(ahead.as_ref(), &done, self.root, out)?,
            Told::Document(json) => document::done(json, ahead.as_ref(), &done, self.root)?,
        }
        Ok((done, verdict.exit()))
    }

    /// What a cluster must know first, then the plan, and the mark that told of the loss last: whoever repeats a repair
    /// that was cut off still sees why.
    fn apply(&self, ahead: &Ahead<'_>, still: &mut Still) -> Result<Applied, Failure> {
        // A person took their time to answer.
        still.check()?;
        if let Some(root) = self.root.filter(|_| ahead.new_storage_id) {
            root.renew_id()?;
        }
        if let Some(generation) = ahead.gives_up {
            give_up(&**self.directory, generation)?;
            still.accept("ballot")?;
        } else if ahead.may_have_lost_acknowledged {
            settle_given_up(&**self.directory)?;
        }
        let now = SystemClock.wall_micros();
        let applied = apply(&ahead.plan, self.directory, now, None, &mut |step| {
            still.before(step)
        })?;
        still.end()?;
        if let Some(mark) = ahead.mark {
            lower_mark(&**self.directory, mark)?;
        }
        Ok(applied)
    }
}
