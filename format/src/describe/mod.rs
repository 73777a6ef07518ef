//! What a definition says, as data: the source of specification pages, diagrams, dumps, the layout lock and repairs of
//! checksums. Every kind has one as its `KIND`.

#[cfg(feature = "alloc")]
mod place;
mod row;
#[cfg(feature = "alloc")]
mod words;

#[cfg(feature = "alloc")]
pub use place::{Offset, Place, Size};
pub use row::{Bits, Presence, Role, Row, Rows, Type};

use crate::checksum::Algorithm;
use crate::error::Error;
use crate::feature::Feature;
use crate::format::Cx;

/// A kind: what one definition defines.
#[derive(Debug)]
pub struct Kind {
    /// Name of the struct or enum.
    pub name: &'static str,
    /// Path of the module that defines it.
    pub module: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// What it is made of.
    pub shape: Shape,
    /// Pattern of the name of a file that is one of it.
    pub file: Option<&'static str>,
    /// Pattern of the name of a file that begins with one of it.
    pub head_of: Option<&'static str>,
    /// The input is exactly one of it.
    pub whole: bool,
    /// What its loss means.
    pub class: Option<Class>,
    /// Byte order of its integers, where a row says nothing else.
    pub endian: Endian,
    /// The versions read and written, if it has a version row.
    pub versions: Option<Versions>,
    /// The kind whose version it takes.
    pub version_of: Option<fn() -> &'static Kind>,
    /// What bytes behind the last row mean.
    pub trailing: Trailing,
    /// Equal values have equal bytes.
    pub canonical: bool,
    /// Bytes, if all of it is fixed.
    pub size: Option<usize>,
    /// The least number of bytes.
    pub min: usize,
    /// The checks of a reader, in order.
    pub steps: &'static [Step],
}

impl Kind {
    /// The rows in order; none for an enum or a text kind.
    #[must_use]
    pub const fn rows(&self) -> &'static [Row] {
        match self.shape {
            Shape::Rows(rows) => rows,
            Shape::Enum { .. } | Shape::Text { .. } => &[],
        }
    }

    /// Whether bytes of the right length can be refused. Rows of other kinds count as such that can.
    #[must_use]
    pub const fn is_checked(&self) -> bool {
        let Shape::Rows(rows) = self.shape else {
            return true;
        };
        let mut row = 0;
        while row < rows.len() {
            if matches!(rows[row].ty, Type::Of(_) | Type::Seq(_)) {
                return true;
            }
            row += 1;
        }
        let mut step = 0;
        while step < self.steps.len() {
            if !matches!(self.steps[step].check, Check::Short | Check::Fits) {
                return true;
            }
            step += 1;
        }
        false
    }

    /// The row of that name, with its number.
    #[must_use]
    pub fn row(&self, name: &str) -> Option<(usize, &'static Row)> {
        self.rows()
            .iter()
            .enumerate()
            .find(|(_, row)| row.name == name)
    }

    /// The versions read: its own, those of the kind that versions it, or only 0 when nothing does.
    #[must_use]
    pub fn read_range(&self) -> core::ops::RangeInclusive<u32> {
        match (&self.versions, self.version_of) {
            (Some(versions), _) => versions.min..=versions.max,
            (None, Some(of)) => of().read_range(),
            (None, None) => 0..=0,
        }
    }
}

/// Kinds are compared by identity of their definition.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.module == other.module
    }
}

impl Eq for Kind {}

/// What a kind is made of.
#[derive(Debug)]
pub enum Shape {
    /// Rows of bytes.
    Rows(&'static [Row]),
    /// One number with named values.
    Enum {
        /// Bytes of the number; 0 for one that lives in bits of a word.
        bytes: u8,
        /// The values that have names.
        variants: &'static [Variant],
        /// A value without a name is kept as it is, not refused.
        open: bool,
    },
    /// Text with a grammar, or bytes that no key describes: the codec is written by hand.
    Text {
        /// One line of the grammar each.
        lines: &'static [&'static str],
        /// How many bytes the instance at the front of some bytes takes, which is what
        /// [`walk_by_hand`](crate::format::walk_by_hand) does.
        walk: fn(&[u8], usize, Cx) -> Result<usize, Error>,
    },
}

/// A named value of an enum.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The number that stands for it.
    pub value: u64,
    /// The first version that has it.
    pub since: u32,
    /// The last version that has it.
    pub until: u32,
}

/// What the loss of a file means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing else can rebuild it.
    Authoritative,
    /// It can be rebuilt, or done without.
    Derived,
}

/// Byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

/// What bytes behind the last row mean to a whole kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trailing {
    /// Damage.
    Refuse,
    /// Nothing.
    Ignore,
}

/// The versions of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The lowest version read.
    pub min: u32,
    /// The highest version read.
    pub max: u32,
    /// The version written while no feature says otherwise.
    pub writes: u32,
    /// A finalized feature raises the version that is written by default, not only the one that may be.
    pub adopt: bool,
    /// What a writer needs for versions above `writes`.
    pub gates: &'static [Gate],
}

/// A version that may be written once a feature is finalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The version.
    pub version: u32,
    /// The feature level that it needs.
    pub feature: Feature,
}

/// One check of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the row that it is about; `u16::MAX` for the whole.
    pub row: u16,
    /// What is checked.
    pub check: Check,
}

/// What a step checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The bytes that are always there, are there.
    Short,
    /// The length is exactly right.
    Length,
    /// The magic.
    Magic,
    /// The version is in the read range.
    Version,
    /// The value that it must have.
    MustBe,
    /// A checksum.
    Checksum(Algorithm),
    /// A known value, and one of this version.
    Known,
    /// The least and greatest value.
    Limit,
    /// The count fits the bytes that are there.
    Count,
    /// The row is there in full.
    Fits,
    /// UTF-8.
    Utf8,
    /// Each entry by its own checks.
    Entries,
    /// A declared length is used up.
    UsedUp,
    /// Nothing is left behind the last row.
    Trailing,
    /// A rule in code, named.
    Rule(&'static str),
}
