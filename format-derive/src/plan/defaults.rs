//! What a reader does when `order` says nothing.

use super::schedule::{Act, Key};
use super::{End, Place, Plan, ends_with_input, has_value_checks, holds_instances, takes_rest};
use crate::check::Links;
use crate::model::{Definition, Role};

/// The group of a check; a walk over instances makes those up to [`FRAME`].
const SHORT: u8 = 1;
const IDENTITY: u8 = 2;
const EARLY_SUM: u8 = 3;
pub(super) const FRAME: u8 = 4;
const LATE_SUM: u8 = 5;
const VALUES: u8 = 6;
const LEFTOVER: u8 = 7;
const RULES: u8 = 8;

/// Every act with its turn: the group, the row, and what comes first at one row.
pub(super) fn acts(definition: &Definition, links: &Links, plan: &Plan) -> Vec<(Key, Act)> {
    let mut acts: Vec<(Key, Act)> = Vec::new();
    for (index, row) in definition.rows.iter().enumerate() {
        let link = &links.rows[index];
        match row.role {
            Role::Magic(_) | Role::MustBe(_) | Role::Version => {
                acts.push(((IDENTITY, index, 0), Act::Identity(index)));
            }
            Role::Checksum(..) => {
                acts.push((sum_turn(definition, links, plan, index), Act::Sum(index)));
            }
            _ => {}
        }
        if has_value_checks(row) {
            let group = if link.frames { FRAME } else { VALUES };
            acts.push(((group, index, 3), Act::Value(index)));
        }
        if let Some(entries) = link.count_of {
            acts.push(((FRAME, entries, 0), Act::CountFits(index)));
        }
    }
    for (from, to, len) in links.bounds() {
        acts.push(((FRAME, from.max(len), 4), Act::Bound(len)));
        let holds = definition.rows[from..to].iter().any(holds_instances);
        let group = if holds { VALUES } else { FRAME };
        acts.push(((group, to - 1, 5), Act::UsedUp(len)));
    }
    for (index, piece) in plan.pieces.iter().enumerate() {
        let first = piece.rows[0];
        let holds = holds_instances(&definition.rows[first]);
        let group = if holds { VALUES } else { FRAME };
        if !plan.is_at_hand(index) {
            acts.push(((group, first, 1), Act::Locate(index)));
        }
        if holds {
            acts.push(((VALUES, first, 2), Act::Recheck(index)));
        }
    }
    acts.extend(end(definition, links, plan));
    let rules = 0..definition.keys.checks.len();
    acts.extend(rules.map(|rule| ((RULES, rule, 0), Act::Rule(rule))));
    acts
}

/// The check that the input ends where its fields say: with the frame where they say it without a look at other kinds.
fn end(definition: &Definition, links: &Links, plan: &Plan) -> Option<(Key, Act)> {
    if !ends_with_input(definition) {
        return None;
    }
    if plan.is_fixed() {
        return Some(((SHORT, 0, 0), Act::Exact));
    }
    let rows = definition.rows.iter().enumerate();
    let takes_all = rows.clone().any(|(index, row)| {
        takes_rest(links, index, row) && links.innermost_bound(index).is_none()
    });
    if takes_all {
        return None;
    }
    let computable = definition
        .rows
        .iter()
        .all(|row| !holds_instances(row) && row.keys.varint.is_none());
    Some(if computable {
        ((FRAME, usize::MAX, 0), Act::Exact)
    } else {
        ((LEFTOVER, 0, 0), Act::Leftover)
    })
}

/// A checksum comes as soon as what it covers is known: with the head when it lies there or goes on to the end of the
/// input, behind a declared length when it goes on to the end of its rows, else with the frame done.
fn sum_turn(definition: &Definition, links: &Links, plan: &Plan, row: usize) -> Key {
    let is_at_hand = |boundary: usize| {
        let piece = plan.piece_of.get(boundary);
        piece.is_some_and(|&piece| piece == 0 || starts_second(plan, boundary))
    };
    let mut turn = (EARLY_SUM, row, 0);
    if !plan.has_head() || plan.piece_of[row] != 0 {
        return (LATE_SUM, row, 0);
    }
    for &(from, to) in &links.rows[row].spans {
        if !is_at_hand(from) {
            return (LATE_SUM, row, 0);
        }
        match plan.end(definition, links, to) {
            End::Input => {}
            End::Found if is_at_hand(to) || starts_foot(plan, to) => {}
            End::Bound(len) if plan.piece_of[len] == 0 => {
                let first = links.rows[len]
                    .len_of
                    .map_or(len, |(from, _)| from.max(len));
                turn = turn.max((FRAME, first, 5));
            }
            End::Bound(_) | End::Found => return (LATE_SUM, row, 0),
        }
    }
    turn
}

fn starts_foot(plan: &Plan, boundary: usize) -> bool {
    plan.foot()
        .is_some_and(|foot| plan.pieces[foot].rows[0] == boundary)
}

fn starts_second(plan: &Plan, boundary: usize) -> bool {
    plan.pieces
        .get(1)
        .is_some_and(|piece| piece.rows[0] == boundary && piece.place == Place::Front)
}
