//! The order of checks: groups by default, moved by `order`, refused when a check needs what is not known yet.

use super::{Place, Plan, has_value_checks, takes_rest};
use crate::check::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Base, Definition, Role};

/// Something a reader does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Compare the magic, the version, or what must be.
    Identity(usize),
    /// Compare a checksum.
    Sum(usize),
    /// Check the value of a row.
    Value(usize),
    /// Check that the entries which a row counts can be there.
    CountFits(usize),
    /// Find the end of the rows whose length a row says.
    Bound(usize),
    /// Check that those rows use it up.
    UsedUp(usize),
    /// Find a piece.
    Locate(usize),
    /// Check the entries of a piece that were only stepped over.
    Recheck(usize),
    /// Check that the input ends where its fields say.
    Exact,
    /// Check that nothing is left behind the last row.
    Leftover,
    /// Check a rule in code, over the view.
    Rule(usize),
}

/// An act with what the order made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheduled {
    pub(crate) act: Act,
    /// Part of stepping over an instance, not only of reading it.
    pub(crate) walks: bool,
    /// Found ahead of its own turn: entries are stepped over now and checked later.
    pub(crate) hoisted: bool,
}

type Key = (u8, usize, u8);

pub(super) fn schedule(
    definition: &Definition,
    links: &Links,
    plan: &Plan,
    errors: &mut Diagnostics,
) -> Vec<Scheduled> {
    let mut acts = defaults(definition, links, plan);
    acts.sort_by_key(|(key, _)| *key);
    if let Some(order) = &definition.keys.order {
        let rank = |act: &Act| {
            let Some(row) = row_of(*act) else {
                return order.first.len();
            };
            let name = &definition.rows[row].name;
            if let Some(at) = order.first.iter().position(|first| first == name) {
                return at;
            }
            let last = order.last.iter().position(|last| last == name);
            last.map_or(order.first.len(), |at| order.first.len() + 1 + at)
        };
        for name in order.first.iter().chain(&order.last) {
            if !acts
                .iter()
                .any(|(_, act)| row_of(*act).is_some_and(|row| definition.rows[row].name == *name))
            {
                errors.at(
                    name.span(),
                    format!("`{name}` has no check whose turn could be said"),
                );
            }
        }
        acts.sort_by_key(|(_, act)| rank(act));
    }
    let mut out = Emitter {
        definition,
        links,
        plan,
        out: Vec::new(),
    };
    for (key, act) in acts {
        if let Err((act, need)) = out.emit(act, key, false) {
            let row = |act| {
                row_of(act).map_or_else(
                    || "the whole".to_owned(),
                    |row| format!("`{}`", definition.rows[row].name),
                )
            };
            errors.at(
                definition.keys.span("order"),
                format!(
                    "the check of {} needs that of {} before it",
                    row(act),
                    row(need)
                ),
            );
            break;
        }
    }
    out.out
}

/// The row whose turn `order` can say.
fn row_of(act: Act) -> Option<usize> {
    match act {
        Act::Identity(row) | Act::Sum(row) | Act::Value(row) | Act::CountFits(row) => Some(row),
        _ => None,
    }
}

fn defaults(definition: &Definition, links: &Links, plan: &Plan) -> Vec<(Key, Act)> {
    let mut acts: Vec<(Key, Act)> = Vec::new();
    for (index, row) in definition.rows.iter().enumerate() {
        let link = &links.rows[index];
        match row.role {
            Role::Magic(_) | Role::MustBe(_) | Role::Version => {
                acts.push(((2, index, 0), Act::Identity(index)))
            }
            Role::Checksum(..) => {
                let group = if is_early(definition, links, plan, index) {
                    3
                } else {
                    5
                };
                acts.push(((group, index, 0), Act::Sum(index)));
            }
            _ => {}
        }
        if has_value_checks(row) {
            acts.push(if link.frames {
                ((4, index, 3), Act::Value(index))
            } else {
                ((6, index, 3), Act::Value(index))
            });
        }
        if let Some(entries) = link.count_of {
            acts.push(((4, entries, 0), Act::CountFits(index)));
        }
    }
    for (from, to, len) in links.bounds() {
        acts.push(((4, from.max(len), 4), Act::Bound(len)));
        let walks = definition.rows[from..to]
            .iter()
            .any(|row| matches!(row.ty.base, Base::Seq(_)));
        acts.push(((if walks { 6 } else { 4 }, to - 1, 5), Act::UsedUp(len)));
    }
    let mut computable = true;
    for (index, piece) in plan.pieces.iter().enumerate() {
        let first = piece.rows[0];
        let row = &definition.rows[first];
        let entries = matches!(row.ty.base, Base::Seq(_));
        computable &= !entries && !row.keys.nested && row.keys.varint.is_none();
        if !plan.is_at_hand(index) {
            acts.push(((if entries { 6 } else { 4 }, first, 1), Act::Locate(index)));
        }
        if entries {
            acts.push(((6, first, 2), Act::Recheck(index)));
        }
    }
    if definition.keys.is_whole() && !definition.keys.trailing_ignore {
        let open = definition.rows.iter().enumerate().any(|(index, row)| {
            takes_rest(links, index, row) && links.innermost_bound(index).is_none()
        });
        if plan.is_fixed() {
            acts.push(((1, 0, 0), Act::Exact));
        } else if computable && !open {
            acts.push(((4, usize::MAX, 0), Act::Exact));
        } else if !open {
            acts.push(((7, 0, 0), Act::Leftover));
        }
    }
    acts.extend((0..definition.keys.checks.len()).map(|rule| ((8, rule, 0), Act::Rule(rule))));
    acts
}

/// What the checksum covers is known as soon as the head is there: it lies in the head, or goes from there to the end.
fn is_early(definition: &Definition, links: &Links, plan: &Plan, row: usize) -> bool {
    let rows = definition.rows.len();
    let to_end = definition.keys.is_whole() && !definition.keys.trailing_ignore;
    let at_front = |boundary: usize| {
        plan.has_head()
            && boundary < rows
            && (plan.piece_of[boundary] == 0 || starts_second(plan, boundary))
    };
    let head = plan.piece_of[row] == 0 && plan.has_head();
    head && links.rows[row]
        .spans
        .iter()
        .all(|&(from, to)| at_front(from) && (at_front(to) || (to == rows && to_end)))
}

fn starts_second(plan: &Plan, boundary: usize) -> bool {
    plan.pieces
        .get(1)
        .is_some_and(|piece| piece.rows[0] == boundary && piece.place == Place::Front)
}

struct Emitter<'a> {
    definition: &'a Definition,
    links: &'a Links,
    plan: &'a Plan,
    out: Vec<Scheduled>,
}

impl Emitter<'_> {
    fn emit(&mut self, act: Act, key: Key, hoisted: bool) -> Result<(), (Act, Act)> {
        if self.is_done(act) {
            return Ok(());
        }
        for need in self.needs(act) {
            if self.is_done(need) {
                continue;
            }
            match need {
                Act::Locate(_) | Act::Bound(_) => self.emit(need, key, true)?,
                need => return Err((act, need)),
            }
        }
        self.out.push(Scheduled {
            act,
            walks: key.0 <= 4,
            hoisted,
        });
        Ok(())
    }

    fn is_done(&self, act: Act) -> bool {
        match act {
            Act::Locate(piece) if self.plan.is_at_hand(piece) => true,
            Act::Value(row) if !has_value_checks(&self.definition.rows[row]) => true,
            act => self.out.iter().any(|done| done.act == act),
        }
    }

    fn needs(&self, act: Act) -> Vec<Act> {
        let plan = self.plan;
        match act {
            Act::Identity(row) | Act::Value(row) => vec![Act::Locate(plan.piece_of[row])],
            Act::Sum(row) => {
                let mut needs = vec![Act::Locate(plan.piece_of[row])];
                for &(from, to) in &self.links.rows[row].spans {
                    needs.extend(self.boundary(from));
                    needs.extend(self.boundary(to));
                }
                needs
            }
            Act::CountFits(row) => {
                let mut needs = vec![Act::Locate(plan.piece_of[row]), Act::Value(row)];
                needs.extend(
                    self.links.rows[row]
                        .count_of
                        .and_then(|entries| self.boundary(entries)),
                );
                needs
            }
            Act::Bound(len) => {
                let mut needs = vec![Act::Locate(plan.piece_of[len]), Act::Value(len)];
                needs.extend(
                    self.links.rows[len]
                        .len_of
                        .and_then(|(from, _)| self.boundary(from)),
                );
                needs.extend(self.outer_bound(len).map(Act::Bound));
                needs
            }
            Act::UsedUp(len) => {
                let mut needs = vec![Act::Bound(len)];
                needs.extend(
                    self.links.rows[len]
                        .len_of
                        .and_then(|(_, to)| self.boundary(to)),
                );
                needs
            }
            Act::Locate(piece) => self.location(piece),
            Act::Recheck(piece) => vec![Act::Locate(piece)],
            Act::Exact | Act::Leftover | Act::Rule(_) => {
                (0..plan.pieces.len()).map(Act::Locate).collect()
            }
        }
    }

    /// What must be found so that the position of a row's first byte is known.
    fn boundary(&self, row: usize) -> Option<Act> {
        let plan = self.plan;
        if row >= self.definition.rows.len() {
            let to_end = self.definition.keys.is_whole() && !self.definition.keys.trailing_ignore;
            return if to_end {
                None
            } else {
                plan.front().checked_sub(1).map(Act::Locate)
            };
        }
        let piece = plan.piece_of[row];
        match plan.pieces[piece].place {
            Place::Foot => None,
            Place::Back => Some(Act::Locate(piece)),
            Place::Front => piece.checked_sub(1).map(Act::Locate),
        }
    }

    /// The innermost declared length around a declared length.
    fn outer_bound(&self, len: usize) -> Option<usize> {
        let (from, to) = self.links.rows[len].len_of?;
        let bounds = self.links.bounds().into_iter();
        bounds
            .filter(|&(f, t, other)| other != len && f <= from && to <= t && (t - f) > (to - from))
            .min_by_key(|&(f, t, _)| t - f)
            .map(|(_, _, other)| other)
    }

    fn location(&self, piece: usize) -> Vec<Act> {
        let plan = self.plan;
        let mut needs = Vec::new();
        match plan.pieces[piece].place {
            Place::Front => needs.extend(piece.checked_sub(1).map(Act::Locate)),
            Place::Back => {
                needs.extend(plan.front().checked_sub(2).map(Act::Locate));
                if piece + 1 < plan.pieces.len() {
                    needs.push(Act::Locate(piece + 1));
                }
            }
            Place::Foot => {}
        }
        for &row in &plan.pieces[piece].rows {
            let link = &self.links.rows[row];
            for decider in link.len_by.iter().chain(&link.count_by).chain(&link.when) {
                needs.push(Act::Locate(plan.piece_of[*decider]));
                needs.push(Act::Value(*decider));
            }
            needs.extend(link.count_by.map(Act::CountFits));
            if takes_rest(self.links, row, &self.definition.rows[row])
                && self.links.innermost_bound(row).is_none()
                && plan
                    .pieces
                    .get(piece + 1)
                    .is_some_and(|next| next.place == Place::Back)
            {
                needs.push(Act::Locate(piece + 1));
            }
            for (from, to, len) in self.links.bounds() {
                // A length inside the run that it bounds is known only behind the run.
                if from <= row && row < to && plan.piece_of[len] != piece {
                    needs.push(Act::Bound(len));
                }
            }
        }
        needs
    }
}
