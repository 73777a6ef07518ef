//! The order of checks: groups by default, moved by `order`, refused when a check needs what is not known yet.

use super::needs::Needs;
use super::{Plan, defaults, has_value_checks};
use crate::check::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Order};

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
    /// Check the instances in a piece that were only stepped over.
    Recheck(usize),
    /// Check that the input ends where its fields say.
    Exact,
    /// Check that nothing is left behind the last row.
    Leftover,
    /// Check a rule in code, over the view.
    Rule(usize),
}

impl Act {
    /// What it does, for messages.
    fn words(self, definition: &Definition, plan: &Plan) -> String {
        let name = |row: usize| &definition.rows[row].name;
        match self {
            Self::Identity(row) | Self::Sum(row) | Self::Value(row) => {
                format!("the check of `{}`", name(row))
            }
            Self::CountFits(row) => format!("the count `{}`", name(row)),
            Self::Bound(len) | Self::UsedUp(len) => format!("the length `{}`", name(len)),
            Self::Locate(piece) | Self::Recheck(piece) => {
                format!("finding `{}`", name(plan.pieces[piece].rows[0]))
            }
            Self::Exact | Self::Leftover | Self::Rule(_) => "rules".to_owned(),
        }
    }

    /// The row whose turn `order` can say.
    fn row(self) -> Option<usize> {
        match self {
            Self::Identity(row) | Self::Sum(row) | Self::Value(row) | Self::CountFits(row) => {
                Some(row)
            }
            _ => None,
        }
    }
}

/// An act with what the order made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheduled {
    pub(crate) act: Act,
    /// Part of stepping over an instance, not only of reading it.
    pub(crate) walks: bool,
    /// Found ahead of its own turn: instances are stepped over now and checked later.
    pub(crate) hoisted: bool,
}

/// The turn of an act: its group, its row, and what comes first at one row.
pub(super) type Key = (u8, usize, u8);

pub(super) fn schedule(
    definition: &Definition,
    links: &Links,
    plan: &Plan,
    errors: &mut Diagnostics,
) -> Vec<Scheduled> {
    let mut acts = defaults::acts(definition, links, plan);
    acts.sort_by_key(|(key, _)| *key);
    if let Some(order) = &definition.keys.order {
        reorder(definition, order, &mut acts, errors);
    }
    let needs = Needs {
        definition,
        links,
        plan,
    };
    let mut emitter = Emitter {
        needs,
        out: Vec::new(),
        pending: Vec::new(),
    };
    for (key, act) in acts {
        if let Err((act, need)) = emitter.emit(act, key, false) {
            let message = format!(
                "{} needs {} before it",
                act.words(definition, plan),
                need.words(definition, plan)
            );
            errors.at(definition.keys.span("order"), message);
            break;
        }
    }
    emitter.out
}

/// Moves what `order` names to the front and to the back.
fn reorder(
    definition: &Definition,
    order: &Order,
    acts: &mut [(Key, Act)],
    errors: &mut Diagnostics,
) {
    let name = |act: &Act| act.row().map(|row| &definition.rows[row].name);
    for named in order.first.iter().chain(&order.last) {
        if !acts.iter().any(|(_, act)| name(act) == Some(named)) {
            errors.at(
                named.span(),
                format!("`{named}` has no check whose turn could be said"),
            );
        }
    }
    acts.sort_by_key(|(_, act)| {
        let rest = order.first.len();
        let Some(name) = name(act) else { return rest };
        let first = order.first.iter().position(|first| first == name);
        let last = order.last.iter().position(|last| last == name);
        first.or(last.map(|last| rest + 1 + last)).unwrap_or(rest)
    });
}

struct Emitter<'a> {
    needs: Needs<'a>,
    out: Vec<Scheduled>,
    /// What waits for its needs.
    pending: Vec<Act>,
}

impl Emitter<'_> {
    /// Does what `act` needs, then `act`; or says which check must come first and cannot.
    fn emit(&mut self, act: Act, key: Key, hoisted: bool) -> Result<(), (Act, Act)> {
        if self.is_done(act) {
            return Ok(());
        }
        self.pending.push(act);
        for need in self.needs.of(act) {
            if self.is_done(need) {
                continue;
            }
            let can_hoist = matches!(need, Act::Locate(_) | Act::Bound(_));
            if !can_hoist || self.pending.contains(&need) {
                return Err((act, need));
            }
            self.emit(need, key, true)?;
        }
        self.pending.pop();
        self.out.push(Scheduled {
            act,
            walks: key.0 <= defaults::FRAME,
            hoisted,
        });
        Ok(())
    }

    fn is_done(&self, act: Act) -> bool {
        match act {
            Act::Locate(piece) if self.needs.plan.is_at_hand(piece) => true,
            Act::Value(row) if !has_value_checks(&self.needs.definition.rows[row]) => true,
            act => self.out.iter().any(|done| done.act == act),
        }
    }
}
