//! Finding the rows of an instance by its description alone.
//!
//! The walk is lenient: it reports what stands in every row and judges nothing but lengths. It shares no code with the
//! generated readers, so each is a check of the other. It stops where the bytes end or a length does not fit, says so with
//! an [`Error`], and then still reports the rows that can be found from the end. Nothing is allocated, and the work is
//! bounded by the bytes: every entry of a sequence takes at least one.

mod instance;
mod judge;
mod room;
mod row;
mod value;
mod walker;

use core::ops::Range;

use crate::describe::{Kind, Role, Row, Trailing};
use crate::error::Error;

pub use instance::{Instance, Sum};
#[cfg(feature = "alloc")]
pub use judge::faults;
pub use judge::judge;
pub use value::Value;

use room::Place;
use value::number_in;
use walker::Walker;

/// The most rows that a kind may have.
pub const MOST_ROWS: usize = 64;
/// The most kinds that may be nested in one another.
pub const MOST_DEPTH: usize = 16;

/// A row that was found.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The kind that has the row.
    pub kind: &'static Kind,
    /// Number of the row in its kind.
    pub number: usize,
    /// The row.
    pub row: &'static Row,
    /// How many instances enclose the one that has it.
    pub depth: usize,
    /// The version that governs it.
    pub version: u32,
    /// Its bytes in the input; those of the word for bits, and none for what is absent.
    pub range: Range<usize>,
    /// What stands there.
    pub value: Value<'a>,
}

/// What is told of a walk, in the order of the bytes.
pub trait Visitor<'a> {
    /// An instance begins.
    fn enter(&mut self, instance: &Instance) {
        let _ = instance;
    }

    /// A row. One with a tag byte comes twice, first with [`Value::Tag`]; after [`Value::Kind`] and [`Value::Entries`]
    /// the instances follow.
    fn field(&mut self, field: &Field<'a>);

    /// An instance ends, or nothing more of it can be found.
    fn leave(&mut self, instance: &Instance) {
        let _ = instance;
    }
}

/// Walks the instance at the front of `bytes`, or in all of them for a whole kind, and returns the bytes that it takes.
/// `version` governs a kind without a version row.
///
/// # Errors
/// Where and why the walk stopped before the end of the instance.
pub fn walk<'a>(
    kind: &'static Kind,
    bytes: &'a [u8],
    version: u32,
    visitor: &mut dyn Visitor<'a>,
) -> Result<usize, Error> {
    let place = Place {
        start: 0,
        end: bytes.len(),
        exact: kind.whole && matches!(kind.trailing, Trailing::Refuse),
        closed: false,
        depth: 0,
        index: None,
        version,
    };
    Walker { bytes, visitor }.instance(kind, place)
}

/// The version that stands in the bytes of an instance.
#[must_use]
pub fn version_in(kind: &'static Kind, bytes: &[u8]) -> Option<u32> {
    struct Find(Option<u32>);

    impl Visitor<'_> for Find {
        fn field(&mut self, field: &Field<'_>) {
            if let (0, Role::Version, Some(number)) =
                (field.depth, field.row.role, field.value.number())
            {
                self.0 = u32::try_from(number).ok();
            }
        }
    }

    let mut rows = kind.rows().iter();
    let row = rows.find(|row| matches!(row.role, Role::Version))?;
    if let (Some(at), Some(size)) = (row.offset, row.ty.size()) {
        let stored = bytes.get(at..at.checked_add(size)?)?;
        return u32::try_from(number_in(stored, row.endian)).ok();
    }
    let mut find = Find(None);
    // Where the walk stops does not matter: the version comes first.
    let _ = walk(kind, bytes, 0, &mut find);
    find.0
}

#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
#[cfg(all(test, feature = "alloc"))]
mod tests;
