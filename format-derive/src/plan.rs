//! Rows laid out in pieces, and the checks of a reader in order.
//!
//! A *piece* is a run of fixed rows, which becomes one `#[repr(C)]` struct, or one row of variable size. A check runs as
//! soon as what it needs is known; ties go by group: what is always there, identity, checksums over known bytes, the
//! frame, the other checksums, values, bytes left over, rules over the whole.

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

impl Plan {
    pub(crate) fn new(definition: &Definition, links: &Links, errors: &mut Diagnostics) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut piece_of = Vec::new();
        let mut in_run = false;
        for (index, row) in definition.rows.iter().enumerate() {
            if row.keys.bits.is_none() {
                let fixed = is_fixed(row);
                match pieces.last_mut() {
                    Some(piece) if fixed && in_run => piece.rows.push(index),
                    _ => pieces.push(Piece {
                        rows: vec![index],
                        is_run: fixed,
                        place: Place::Front,
                    }),
                }
                in_run = fixed;
            }
            piece_of.push(pieces.len().saturating_sub(1));
        }
        let mut plan = Self {
            pieces,
            piece_of,
            acts: Vec::new(),
        };
        plan.place_from_end(definition, links);
        plan.acts = schedule::schedule(definition, links, &plan, errors);
        plan
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

    fn place_from_end(&mut self, definition: &Definition, links: &Links) {
        if !definition.keys.is_whole() || definition.keys.trailing_ignore || self.pieces.len() < 2 {
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

/// The checks of the row that look at its value.
pub(crate) fn has_value_checks(row: &Row) -> bool {
    let keys = &row.keys;
    let negative = matches!(&row.ty.base, Base::Int(int) if int.signed)
        && matches!(row.role, Role::Len(_) | Role::Count(_))
        && keys.null.is_none();
    let typed = match &row.ty.base {
        Base::Path(_) => keys.bits.is_some() || is_fixed(row),
        Base::Str | Base::String => true,
        _ => false,
    };
    negative || typed || keys.min.is_some() || keys.max.is_some() || !keys.checks.is_empty()
}
