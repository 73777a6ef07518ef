//! The registry, the vectors and the places of a crate, ready for its tests.

use std::fmt;
use std::fs;

use ondisk::Kind;
use ondisk::describe::Type;
use ondisk::registry::Entry;

use crate::places::Places;
use crate::vectors::{self, Vector};

/// The golden tests of a crate; [`harness!`](crate::harness) calls them.
pub struct Harness {
    pub(crate) entries: &'static [Entry],
    pub(crate) places: Places,
    pub(crate) vectors: Vec<Vector>,
    pub(crate) assert: fn(&str, &str),
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness")
            .field("entries", &self.entries)
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

impl Harness {
    /// Of these kinds. `assert` is insta's `assert_snapshot!`, expanded in the crate whose tests they are.
    ///
    /// # Panics
    /// Vectors that cannot be read.
    #[must_use]
    pub fn new(entries: &'static [Entry], places: Places, assert: fn(&str, &str)) -> Self {
        let path = &places.vectors;
        let text =
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let vectors =
            vectors::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self {
            entries,
            places,
            vectors,
            assert,
        }
    }

    /// The registered kind of that name.
    pub(crate) fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.entries.iter().find(|entry| entry.kind.name == name)
    }

    /// The registered kinds and what stands in them, each once: enums are not registered.
    pub(crate) fn kinds(&self) -> Vec<&'static Kind> {
        let mut kinds: Vec<&'static Kind> = self.entries.iter().map(|entry| entry.kind).collect();
        let mut next = 0;
        while let Some(kind) = kinds.get(next) {
            for row in kind.rows() {
                if let Type::Of(of) | Type::Seq(of) = row.ty
                    && !kinds.contains(&of())
                {
                    kinds.push(of());
                }
            }
            next += 1;
        }
        kinds
    }
}
