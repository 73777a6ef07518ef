//! Fuzz targets, one a kind, in the layout of cargo-fuzz: `cargo fuzz run record`.
//!
//! A target takes any bytes. Reading them never panics and agrees with the description; what reads is written and reads
//! back as the same value; and the same holds once more with right checksums, so that the fuzzer gets past them. A kind
//! that takes its version from outside has it in the first byte. `round_trip` makes values instead, of every kind, and
//! `recovery_plan` whole directories, whose recovery is planned. `crashes` drives the log engine on a simulated disk that
//! loses power and fails.
//!
//! The targets, their entries in `Cargo.toml` and their seeds are made from the registry; a test holds them to it, and
//! `UPDATE=1` writes them.

pub mod crashes;
pub mod recovery;

use ondisk::felix::KINDS;
use ondisk::promise;

#[doc(hidden)]
pub use libfuzzer_sys;

/// The target of a kind, by its name.
#[macro_export]
macro_rules! target {
    ($kind:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(|input: &[u8]| $crate::check($kind, input));
    };
}

/// Checks what is promised of any input of a kind.
///
/// # Panics
/// A promise that does not hold.
pub fn check(kind: &str, input: &[u8]) {
    let entry = KINDS.iter().find(|entry| entry.kind.name == kind);
    let Some(entry) = entry else {
        panic!("{kind} is not registered")
    };
    let (version, bytes) = promise::split(entry.kind, input);
    promise::check(entry, bytes, version).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Checks that an arbitrary value can be written and reads back; the first two bytes choose its kind and version.
///
/// # Panics
/// A promise that does not hold.
pub fn round_trip(input: &[u8]) {
    let [kind, version, entropy @ ..] = input else {
        return;
    };
    let Some(entry) = KINDS.get(usize::from(*kind) % KINDS.len()) else {
        return;
    };
    let version = promise::pick(entry.kind, *version);
    promise::round_trip(entry, entropy, version).unwrap_or_else(|broken| panic!("{broken}"));
}
