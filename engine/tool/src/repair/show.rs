//! A repair in words.

use std::io::{self, Write};

use super::ahead::Ahead;
use super::held::HeldRoot;
use super::shard::Done;
use crate::look::{Seen, Verdict};
use crate::output::{Out, Tone, words};
use crate::verify::{shard, steps};

/// What was found, and what is ahead.
pub(super) fn before(
    seen: &Seen<'_>,
    verdict: &Verdict<'_>,
    ahead: Option<&Ahead<'_>>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    shard::found(seen, verdict, out)?;
    let Some(ahead) = ahead else {
        return out.flush();
    };
    if ahead.may_have_lost_acknowledged {
        writeln!(out)?;
        let warning = out
            .paint
            .tone(Tone::Bad, "may_have_lost_acknowledged")
            .to_string();
        writeln!(out, "  {warning}")?;
        out.paragraph(4, "Records that were acknowledged may be missing, and no repair brings them back. So that no cluster counts on them, \
             what this shard promised is given up before anything is cut.")?;
    }
    steps::list(
        "What a repair does, in this order",
        &ahead.told(verdict),
        out,
    )?;
    out.flush()
}

/// The steps alone.
pub(super) fn ahead(
    verdict: &Verdict<'_>,
    ahead: Option<&Ahead<'_>>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let told = ahead.map(|ahead| ahead.told(verdict));
    steps::lines(&told.unwrap_or_default(), out)
}

/// What became of it, and of the plan.
pub(super) fn done(
    seen: &Seen<'_>,
    verdict: &Verdict<'_>,
    ahead: Option<&Ahead<'_>>,
    done: &Done,
    root: Option<&HeldRoot>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let became = match done {
        Done::Sound => "nothing to repair: nothing was changed",
        Done::Refused => "refused: nothing was changed",
        Done::Withheld(_) => "not done: nothing was changed",
        Done::Repaired(_) => "done",
    };
    shard::outcome(seen, verdict, became, out)?;
    self::became(ahead, done, root, out)
}

/// What became of it.
pub(super) fn became(
    ahead: Option<&Ahead<'_>>,
    done: &Done,
    root: Option<&HeldRoot>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    match done {
        Done::Sound => {}
        Done::Refused => {
            out.fact(
                "repair",
                "nothing here may be cut; see what to do next above",
            )?;
        }
        Done::Withheld(why) => {
            let word = out.paint.tone(Tone::Notice, "NOT DONE");
            let text = format!("{word}  {why}");
            out.fact("repair", text)?;
        }
        Done::Repaired(applied) => {
            for saved in &applied.saved {
                out.fact("kept", saved)?;
            }
            for segment in &applied.without_index {
                out.fact(
                    "no index",
                    format!("of segment {segment}; reads do without it"),
                )?;
            }
            if let Some(generation) = ahead.and_then(|ahead| ahead.gives_up) {
                out.fact("given up", format!("generation {generation}"))?;
            }
            let renewed = ahead.is_some_and(|ahead| ahead.new_storage_id);
            if let Some(id) = root.and_then(HeldRoot::new_id).filter(|_| renewed) {
                out.fact("storage-id", format!("{id}  (new)"))?;
            }
        }
    }
    out.flush()
}

/// The look afterwards.
pub(super) fn after(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let (word, tone) = shard::word(verdict);
    if verdict.is_damaged() {
        out.heading("And now")?;
        shard::found(seen, verdict, out)?;
    }
    let log = seen
        .opening
        .plan
        .as_ref()
        .and_then(|plan| plan.log.as_ref());
    let word = out.paint.tone(tone, word);
    let text = match log {
        Some(log) => format!(
            "{word}  offsets {}..{}, {}",
            log.base,
            log.tail,
            words::count(log.records(), "record", "records")
        ),
        None => word.to_string(),
    };
    out.fact("now", text)?;
    out.flush()
}
