//! Golden tests for the kinds of a crate, from one macro.
//!
//! ```ignore
//! // tests/golden.rs
//! ondisk_golden::harness!(my_crate::KINDS, "golden");
//! ```
//!
//! The directory holds `vectors.txt`, bytes with what a reader must make of them (the format is told in
//! [`vectors`]). From it, from the registry and from the sources come these tests:
//!
//! | test | what it holds |
//! |---|---|
//! | `vectors_read_as_they_say` | every vector reads, or is refused, exactly as it says, and is written back |
//! | `dumps_are_pinned` | an insta snapshot of the annotated dump of every vector, and of every kind and version; the raw bytes beside it |
//! | `layouts_are_locked` | what `layout.lock` says of a released layout is still so |
//! | `pages_are_fresh` | the specification pages and diagrams are those of the definitions |
//! | `other_versions_are_refused` | by number, before anything else of the version is read |
//! | `truncation_is_noticed` | at every byte, and a short read says what is needed and what is there |
//! | `flipped_bits_are_noticed` | each single one, or it lies where the page says that no checksum covers |
//! | `arbitrary_values_round_trip` | in every version that is read |
//! | `readers_and_descriptions_agree` | on the vectors, on damaged ones, on junk, also with repaired checksums |
//! | `seeds_are_fresh` | the seeds of the fuzz targets are the vectors |
//! | `nothing_is_forgotten` | every kind and version has a vector or stands in one; every kind has a page, a lock entry, a fuzz target |
//! | `the_registry_is_complete` | every definition in the sources is registered |
//!
//! `UPDATE=1` writes bytes, pages and new entries of the lock; `INSTA_UPDATE` governs the snapshots.

mod complete;
mod files;
mod harness;
mod instances;
mod layouts;
mod mutations;
mod pages;
mod places;
mod problems;
mod promises;
mod seeds;
mod snapshots;
mod sources;
pub mod vectors;
mod versions;

pub use harness::Harness;
pub use places::Places;

#[doc(hidden)]
pub use insta;

/// Makes the tests for a registry: `harness!(KINDS, "golden")`, the directory relative to the crate, or
/// `harness!(KINDS, places)` with a [`Places`].
#[macro_export]
macro_rules! harness {
    ($kinds:path, $directory:literal) => {
        $crate::harness!(
            $kinds,
            $crate::Places::under(env!("CARGO_MANIFEST_DIR"), $directory)
        );
    };
    ($kinds:path, $places:expr) => {
        fn golden() -> $crate::Harness {
            $crate::Harness::new($kinds, $places, |name, text| {
                $crate::insta::assert_snapshot!(name, text);
            })
        }

        $crate::harness!(@tests
            vectors_read_as_they_say, dumps_are_pinned, layouts_are_locked, pages_are_fresh,
            other_versions_are_refused, truncation_is_noticed, flipped_bits_are_noticed,
            arbitrary_values_round_trip, readers_and_descriptions_agree, seeds_are_fresh, nothing_is_forgotten,
            the_registry_is_complete,
        );
    };
    (@tests $($test:ident,)*) => {
        $(#[test]
        fn $test() {
            golden().$test();
        })*
    };
}
