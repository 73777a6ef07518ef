//! What no checksum covers, and what else would notice a wrong value there.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::describe::{Kind, Presence, Role, Row, Rows, Shape, Type};
use crate::walk::{Field, Instance, Value, Visitor, walk};

/// A row that no checksum of its kind covers.
#[derive(Clone, Copy, Debug)]
pub struct Uncovered {
    /// Number of the row.
    pub number: usize,
    /// The row.
    pub row: &'static Row,
    /// What notices a wrong value.
    pub guard: Guard,
}

/// What notices a wrong value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Every other value is refused.
    Every,
    /// Some other values are refused: by a limit, an enum, a length, a rule.
    Some,
    /// The checks of the kind that stands there.
    Nested(&'static Kind),
    /// Nothing, and nothing reads it.
    Unread,
    /// Nothing.
    Nothing,
}

/// The rows of a kind that no checksum of it covers. A kind that is only ever part of another may still be covered there.
#[must_use]
pub fn uncovered(kind: &'static Kind) -> Vec<Uncovered> {
    let rows = kind.rows();
    let covered = |number: usize| {
        rows.iter().enumerate().any(|(sum, row)| match row.role {
            Role::Checksum(_, spans) => {
                sum == number || spans.iter().any(|rows: &Rows| rows.contains(number))
            }
            _ => false,
        })
    };
    let is_split = |number: usize| {
        rows.iter().any(|row| {
            row.bits
                .is_some_and(|bits| usize::from(bits.word) == number)
        })
    };
    let stands_at = |number: usize, row: &Row| row.bits.map_or(number, |bits| bits.word.into());
    rows.iter()
        .enumerate()
        .filter(|&(number, row)| !covered(stands_at(number, row)) && !is_split(number))
        .map(|(number, row)| Uncovered {
            number,
            row,
            guard: guard(kind, row),
        })
        .collect()
}

fn guard(kind: &'static Kind, row: &Row) -> Guard {
    let one_version = kind.versions.as_ref().is_some_and(|of| of.min == of.max);
    match row.role {
        Role::Magic(_) | Role::MustBe(_) => return Guard::Every,
        Role::Version if one_version => return Guard::Every,
        Role::Reserved | Role::Keep => return Guard::Unread,
        Role::Version | Role::Len(_) | Role::Count(_) => return Guard::Some,
        Role::Value | Role::Checksum(..) | Role::Word => {}
    }
    let limited = row.min.is_some() || row.max.is_some() || !row.rules.is_empty();
    match row.ty {
        Type::Seq(of) => Guard::Nested(of()),
        Type::Of(of) => match of().shape {
            Shape::Enum { open: true, .. } => Guard::Nothing,
            Shape::Enum { .. } => Guard::Some,
            Shape::Rows(_) | Shape::Text { .. } => Guard::Nested(of()),
        },
        Type::Text => Guard::Some,
        _ if limited || matches!(row.presence, Presence::Tag { .. }) => Guard::Some,
        _ => Guard::Nothing,
    }
}

/// Bytes of an instance that no checksum in it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where they stand.
    pub bytes: Range<usize>,
    /// The kind that has the row; in nested instances not the outermost one.
    pub kind: &'static Kind,
    /// Name of the row.
    pub row: &'static str,
}

/// The bytes of the instance at the front of `bytes` that no checksum covers, a gap a row.
#[must_use]
pub fn gaps(kind: &'static Kind, bytes: &[u8], version: u32) -> Vec<Gap> {
    struct Mark {
        covered: Vec<bool>,
        rows: Vec<Gap>,
    }

    impl Mark {
        fn cover(&mut self, bytes: Range<usize>) {
            self.covered.get_mut(bytes).unwrap_or_default().fill(true);
        }
    }

    impl<'a> Visitor<'a> for Mark {
        fn field(&mut self, field: &Field<'a>) {
            let whole = !matches!(field.value, Value::Kind(_) | Value::Entries { .. });
            if whole && field.row.bits.is_none() && !field.range.is_empty() {
                let (bytes, row) = (field.range.clone(), field.row.name);
                self.rows.push(Gap {
                    bytes,
                    kind: field.kind,
                    row,
                });
            }
        }

        fn leave(&mut self, instance: &Instance) {
            for (number, row) in instance.kind.rows().iter().enumerate() {
                let Role::Checksum(_, spans) = row.role else {
                    continue;
                };
                let spans: Option<Vec<_>> = spans.iter().map(|&rows| instance.span(rows)).collect();
                if let (Some(own), Some(spans)) = (instance.range(number), spans) {
                    self.cover(own);
                    spans.into_iter().for_each(|span| self.cover(span));
                }
            }
        }
    }

    let mut mark = Mark {
        covered: vec![false; bytes.len()],
        rows: Vec::new(),
    };
    // What cannot be walked has no rows.
    let _ = walk(kind, bytes, version, &mut mark);
    let Mark { covered, mut rows } = mark;
    rows.retain(|gap| {
        covered
            .get(gap.bytes.clone())
            .is_some_and(|of| of.contains(&false))
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::samples::{ENTRY, FRAME, NOTE, OBJECT, frame, object};

    #[test]
    fn rows_and_bytes_that_no_checksum_covers() {
        assert!(uncovered(&FRAME).is_empty() && uncovered(&OBJECT).is_empty());
        let guards: Vec<_> = uncovered(&ENTRY).iter().map(|row| row.guard).collect();
        assert_eq!(
            guards,
            [
                Guard::Some,
                Guard::Nothing,
                Guard::Some,
                Guard::Some,
                Guard::Some
            ]
        );
        assert_eq!(uncovered(&NOTE).len(), NOTE.rows().len());
        assert_eq!(gaps(&FRAME, &frame(1, &[0, 7], b"hi"), 2), []);
        assert_eq!(gaps(&OBJECT, &object(2), 0), []);
        let note: Vec<_> = gaps(&NOTE, &[8, 3, 1, b'x', b'y'], 0)
            .iter()
            .map(|of| of.row)
            .collect();
        assert_eq!(note, ["length", "delta", "key_len", "rest"]);
    }
}
