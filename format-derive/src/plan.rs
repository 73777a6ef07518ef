//! Rows laid out in pieces, and the checks of a reader in order.
//!
//! A *piece* is a run of fixed rows, which becomes one `#[repr(C)]` struct, or one row of variable size. A check runs as
//! soon as what it needs is known; ties go by group: what is always there, identity, checksums over known bytes, the
//! frame, the other checksums, values, bytes left over, rules over the whole.

mod defaults;
mod needs;
mod schedule;

use crate::check::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Base, Definition, Role, Row};

pub(crate) use schedule::{Act, Scheduled};

/// The plan for reading one definition.
pub(crate) struct Plan {
    pub(crate) pieces: Vec<Piece>,
    /// The piece of each row; that of their word for bits.
    pub(crate) piece_of: Vec<usize>,
    pub(crate) acts: Vec<Scheduled>,
}

/// A run of fixed rows, or one variable row.
pub(crate) struct Piece {
    /// Its rows, without those that are bits.
    pub(crate) rows: Vec<usize>,
    pub(crate) is_run: bool,
    pub(crate) place: Place,
}

/// From where a piece is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind the piece before it.
    Front,
    /// From the end of the input backwards.
    Back,
    /// At the end of the input: a run.
    Foot,
}

/// What says where a range of rows ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The end of the input.
    Input,
    /// A declared length: what it bounds need not be found first.
    Bound(usize),
    /// The rows before it.
    Found,
}

impl Plan {
    pub(crate) fn new(definition: &Definition, links: &Links, errors: &mut Diagnostics) -> Self {
        let mut plan = Self {
            pieces: Vec::new(),
            piece_of: Vec::new(),
            acts: Vec::new(),
        };
        for (index, row) in definition.rows.iter().enumerate() {
            if !row.is_bits() {
                plan.add(links, index, is_fixed(row));
            }
            plan.piece_of.push(plan.pieces.len().saturating_sub(1));
        }
        plan.place_from_end(definition, links);
        plan.refuse_unreachable(definition, links, errors);
        if errors.is_empty() {
            plan.acts = schedule::schedule(definition, links, &plan, errors);
        }
        plan
    }

    /// Adds a row to the run before it, or as a piece of its own.
    fn add(&mut self, links: &Links, index: usize, is_fixed: bool) {
        // Rows on both sides of the end of a bound are not found together, but for the head, which is always there.
        let is_apart =
            self.pieces.len() > 1 && links.bounds().iter().any(|&(_, to, _)| to == index);
        match self.pieces.last_mut() {
            Some(piece) if is_fixed && piece.is_run && !is_apart => piece.rows.push(index),
            _ => self.pieces.push(Piece {
                rows: vec![index],
                is_run: is_fixed,
                place: Place::Front,
            }),
        }
    }

    /// All of it is one run.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(&self.pieces[..], [piece] if piece.is_run)
    }

    /// The run at the front, if the first piece is one.
    pub(crate) fn has_head(&self) -> bool {
        self.pieces.first().is_some_and(|piece| piece.is_run)
    }

    /// The piece at the end of the input.
    pub(crate) fn foot(&self) -> Option<usize> {
        self.pieces
            .iter()
            .position(|piece| piece.place == Place::Foot)
    }

    /// How many pieces are found from the front.
    pub(crate) fn front(&self) -> usize {
        self.pieces
            .iter()
            .take_while(|piece| piece.place == Place::Front)
            .count()
    }

    /// The piece is there without being searched: the head, or the foot.
    pub(crate) fn is_at_hand(&self, piece: usize) -> bool {
        (piece == 0 && self.has_head()) || self.pieces[piece].place == Place::Foot
    }

    /// What says where the rows before row `to` end.
    pub(crate) fn end(&self, definition: &Definition, links: &Links, to: usize) -> End {
        if to == definition.rows.len() && ends_with_input(definition) {
            return End::Input;
        }
        let is_at_front = self.piece_of.get(to).is_some_and(|&piece| {
            piece == 0
                || self.pieces[piece].place == Place::Foot
                || (piece == 1 && self.has_head() && self.pieces[1].rows[0] == to)
        });
        match links.bound_to(to) {
            Some(len) if !is_at_front => End::Bound(len),
            _ => End::Found,
        }
    }

    fn place_from_end(&mut self, definition: &Definition, links: &Links) {
        if !ends_with_input(definition) || self.pieces.len() < 2 {
            return;
        }
        let rest = definition.rows.iter().enumerate().position(|(index, row)| {
            takes_rest(links, index, row) && links.innermost_bound(index).is_none()
        });
        let last = self.pieces.len() - 1;
        if let Some(rest) = rest {
            let rest = self.piece_of[rest];
            for piece in &mut self.pieces[rest + 1..] {
                piece.place = Place::Back;
            }
        }
        let in_bound = self.pieces[last]
            .rows
            .iter()
            .any(|&row| links.innermost_bound(row).is_some());
        if self.pieces[last].is_run && !in_bound {
            self.pieces[last].place = Place::Foot;
        }
    }

    /// Rows that must be found before others, and cannot be.
    fn refuse_unreachable(&self, definition: &Definition, links: &Links, errors: &mut Diagnostics) {
        for (index, row) in definition.rows.iter().enumerate() {
            let piece = self.piece_of[index];
            if matches!(row.role, Role::Version) && !self.is_at_hand(piece) {
                errors.at(
                    row.name.span(),
                    "the version is read first: only rows of fixed size may stand before it",
                );
            }
            let is_behind = links.rows[index]
                .len_of
                .is_some_and(|(from, _)| from < index);
            if is_behind && self.pieces[piece].place == Place::Front {
                errors.at(
                    row.name.span(),
                    "a length behind its row is found from the end: say `whole`, and let rows of fixed size alone follow",
                );
            }
        }
    }
}

/// The last row ends where the input does.
pub(crate) fn ends_with_input(definition: &Definition) -> bool {
    definition.keys.is_whole() && !definition.keys.trailing_ignore
}

/// The row has one size wherever it stands.
fn is_fixed(row: &Row) -> bool {
    let fixed = match &row.ty.base {
        Base::Int(_) => row.keys.varint.is_none(),
        Base::Array(_) => true,
        Base::Path(_) => !row.keys.nested,
        Base::Bool | Base::Slice | Base::Bytes | Base::Str | Base::String | Base::Seq(_) => false,
    };
    fixed && !row.ty.optional && !row.is_versioned()
}

/// The row takes what is left.
pub(crate) fn takes_rest(links: &Links, index: usize, row: &Row) -> bool {
    row.ty.base.is_open_ended()
        && links.rows[index].len_by.is_none()
        && links.rows[index].count_by.is_none()
}

/// Instances of other kinds, which have checks of their own.
pub(crate) fn holds_instances(row: &Row) -> bool {
    matches!(row.ty.base, Base::Seq(_)) || (row.is_kind() && !is_fixed(row))
}

/// A length or count that its type lets be negative, and nothing else forbids it.
pub(crate) fn refuses_negative(row: &Row) -> bool {
    matches!(&row.ty.base, Base::Int(int) if int.signed)
        && matches!(row.role, Role::Len(_) | Role::Count(_))
        && row.keys.null.is_none_or(|null| null >= 0)
}

/// The row has checks that look at its value.
pub(crate) fn has_value_checks(row: &Row) -> bool {
    let keys = &row.keys;
    let typed = match &row.ty.base {
        Base::Path(_) => row.is_bits() || is_fixed(row),
        Base::Str | Base::String => true,
        _ => false,
    };
    refuses_negative(row)
        || typed
        || keys.min.is_some()
        || keys.max.is_some()
        || !keys.checks.is_empty()
}
