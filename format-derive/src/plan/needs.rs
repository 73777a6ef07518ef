//! What must be known before something can be done.

use super::schedule::Act;
use super::{End, Place, Plan, ends_with_input, takes_rest};
use crate::check::Links;
use crate::model::Definition;

/// What the needs of acts follow from.
pub(super) struct Needs<'a> {
    pub(super) definition: &'a Definition,
    pub(super) links: &'a Links,
    pub(super) plan: &'a Plan,
}

impl Needs<'_> {
    pub(super) fn of(&self, act: Act) -> Vec<Act> {
        let plan = self.plan;
        match act {
            Act::Identity(row) | Act::Value(row) => vec![Act::Locate(plan.piece_of[row])],
            Act::Sum(row) => {
                let mut needs = vec![Act::Locate(plan.piece_of[row])];
                for &(from, to) in &self.links.rows[row].spans {
                    needs.extend(self.boundary(from));
                    needs.extend(match plan.end(self.definition, self.links, to) {
                        End::Input => None,
                        End::Bound(len) => Some(Act::Bound(len)),
                        End::Found => self.boundary(to),
                    });
                }
                needs
            }
            Act::CountFits(row) => {
                let mut needs = vec![Act::Locate(plan.piece_of[row]), Act::Value(row)];
                if let Some(entries) = self.links.rows[row].count_of {
                    needs.extend(self.boundary(entries));
                    needs.extend(self.bounds_around(entries));
                }
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
            return if ends_with_input(self.definition) {
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

    /// The declared lengths around a row, but for those in its own run: they are known only behind it.
    fn bounds_around(&self, row: usize) -> impl Iterator<Item = Act> {
        let piece = self.plan.piece_of[row];
        let bounds = self.links.bounds().into_iter();
        bounds
            .filter(move |&(from, to, _)| from <= row && row < to)
            .filter(move |&(_, _, len)| self.plan.piece_of[len] != piece)
            .map(|(_, _, len)| Act::Bound(len))
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
            needs.extend(self.bounds_around(row));
        }
        needs
    }
}
