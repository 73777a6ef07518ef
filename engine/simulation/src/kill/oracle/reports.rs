//! Which findings of an open a crash explains.

use super::Lost;
use crate::kill::look::Look;

/// What a kill can leave. The page cache lives on, so files are what the calls made of them, in their order: a record of
/// which some pages were written, a segment that has no header yet, an index that is behind, and a reset ahead of its
/// rename. A segment that was retired is whole, and nothing that was flushed is missing.
const BY_A_KILL: [&str; 5] = [
    "torn_tail",
    "abandoned_segment",
    "blank_first",
    "index_rebuilt",
    "interrupted_reset",
];

/// What lost power can leave besides: pages behind the mark that never got to the device, in any order.
const BY_LOST_POWER: [&str; 4] = [
    "past_durable_mark",
    "zero_tail",
    "unfinished_roll",
    "blank_inside_chain",
];

/// Refuses what a crash does not explain.
pub(super) fn explained(look: &Look, lost: Lost) -> Result<(), String> {
    if let Some(refusal) = &look.opening.refusal {
        return Err(format!("it does not open: {refusal:?}"));
    }
    for report in look.reports() {
        let name = report.name();
        let explained =
            BY_A_KILL.contains(&name) || (lost == Lost::Unsynced && BY_LOST_POWER.contains(&name));
        if !explained || report.may_have_lost_acknowledged() {
            return Err(format!("no such crash leaves this: {report:?}"));
        }
    }
    let foreign = look.opening.plan.iter().flat_map(|plan| &plan.foreign);
    match foreign.map(|foreign| foreign.name.display()).next() {
        Some(name) => Err(format!("a name that is not ours: {name}")),
        None => Ok(()),
    }
}
