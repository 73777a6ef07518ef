//! What a repair that was cut off has left, and what comes of it.

use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::felix::opening::Opening;
use ondisk_engine::felix::recovery::Report;

use super::end::{End, storage_id};
use super::{Expectation, act, contents, directory, open};
use crate::promise::{Promise, Violation};
use crate::shard;

/// Nothing is destroyed; a loss goes nowhere unsaid; an open comes to the log that the repair was to come to; and so does
/// another repair, which ends it for good.
pub(super) fn check(
    disk: &SimulatedDisk,
    expected: &Expectation,
    opts_in: bool,
    seed: u64,
) -> Result<(), Violation> {
    let end = &*expected.end;
    keeps_what_it_cuts(disk, end)?;
    let opening = act::look(disk, opts_in).map_err(|error| opens(&error))?;
    if end.lost && !act::may_have_lost_acknowledged(&opening) {
        tells_of_the_loss(disk, end, opts_in)?;
    }
    if expected.done {
        is_done(&opening)?;
    }
    let opened = disk.copy();
    comes_to_the_same_log(&opened, end, opts_in)
        .map_err(|violation| violation.within("an open behind it"))?;
    if end.is_kept_by_opens {
        keeps_what_it_cuts(&opened, end)
            .map_err(|violation| violation.within("an open behind it"))?;
    }

    let again = |violation: Violation| violation.within("the repair again");
    act::repair(disk, opts_in).map_err(|what| again(opens(&what)))?;
    // Another cut, of which nothing must be seen.
    let last = disk.after(Model::PowerCut, seed);
    keeps_what_it_cuts(&last, end).map_err(again)?;
    let opening = act::look(&last, opts_in).map_err(|error| again(opens(&error)))?;
    if !expected.failed {
        is_done(&opening).map_err(again)?;
    }
    if end.lost {
        tells_of_the_loss(&last, end, opts_in).map_err(again)?;
    }
    comes_to_the_same_log(&last, end, opts_in).map_err(again)
}

/// A repair that returned has left nothing to do, but for indexes: they are derived, and their names are not synced.
fn is_done(opening: &Opening) -> Result<(), Violation> {
    let is_left =
        |report: &&Report| report.is_damage() && !matches!(report, Report::IndexRebuilt { .. });
    let left: Vec<_> = opening.reports().iter().filter(is_left).collect();
    match left.is_empty() && opening.refusal.is_none() {
        true => Ok(()),
        false => {
            let what = format!(
                "a repair that returned left {left:?}, {:?}",
                opening.refusal
            );
            Err(Violation::new(Promise::Converges, what))
        }
    }
}

fn opens(error: &dyn std::fmt::Display) -> Violation {
    Violation::new(Promise::Opens, error.to_string())
}

/// Each piece that is cut off lies in a side file, or where it was.
fn keeps_what_it_cuts(disk: &SimulatedDisk, end: &End) -> Result<(), Violation> {
    let there = directory(disk).and_then(|shard| contents(&shard));
    let there = there.map_err(|error| opens(&error))?;
    for piece in &end.kept {
        let holds = |bytes: &Vec<u8>| {
            bytes.len() >= piece.len() && bytes.windows(piece.len()).any(|part| part == piece)
        };
        if !piece.is_empty() && !there.values().any(holds) {
            let what = format!("{} bytes that were cut off are gone", piece.len());
            return Err(Violation::new(Promise::KeepsAcknowledged, what));
        }
    }
    Ok(())
}

/// Where the shard shows no loss any more, the directory has another id, and its generation no leader.
fn tells_of_the_loss(disk: &SimulatedDisk, end: &End, opts_in: bool) -> Result<(), Violation> {
    let opening = act::look(disk, opts_in).map_err(|error| opens(&error))?;
    let accepted = opening.state.accepted.as_ref();
    let given_up = accepted.is_none_or(|accepted| accepted.given_up);
    if given_up && storage_id(disk)? != end.id {
        return Ok(());
    }
    let what = format!("the loss is seen no more, the generation is {accepted:?}");
    Err(Violation::new(Promise::TellsOfLosses, what))
}

fn comes_to_the_same_log(disk: &SimulatedDisk, end: &End, opts_in: bool) -> Result<(), Violation> {
    let log = open(disk, opts_in).map_err(|error| opens(&error))?;
    let found = shard::Found::of(&log).map_err(|error| opens(&error))?;
    let same = shard::Found {
        // The generation is given up on the way.
        vote: found.vote.clone(),
        durable: found.durable,
        ..end.log.clone()
    };
    match found == same {
        true => Ok(()),
        false => {
            let what = format!("{found:?}, not {same:?}");
            Err(Violation::new(Promise::Converges, what))
        }
    }
}
