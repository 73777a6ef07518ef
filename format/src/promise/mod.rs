//! What a definition promises about any input, as a check: for fuzz targets, property tests and golden tests.
//!
//! Nothing here panics; a promise that does not hold comes back as [`Broken`], for the caller to panic with.

mod agree;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::describe::Kind;
use crate::dump::Dump;
use crate::error::{Error, Fault};
use crate::registry::{Entry, Refusal};
use crate::repair::repair;
use crate::tree::{Only, tree};
use crate::walk::version_in;

use agree::agree;

/// A promise that does not hold.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken {
    kind: &'static Kind,
    what: String,
}

impl Broken {
    fn new(kind: &'static Kind, what: impl fmt::Display) -> Self {
        Self {
            kind,
            what: what.to_string(),
        }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name, self.what)
    }
}

impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Broken {}

/// Everything that is promised about `bytes` as they are, and again with right checksums.
///
/// # Errors
/// The first promise that does not hold.
pub fn check(entry: &Entry, bytes: &[u8], version: u32) -> Result<(), Broken> {
    decode(entry, bytes, version)?;
    let mut repaired = bytes.to_vec();
    if repair(entry.kind, &mut repaired, version) > 0 {
        decode(entry, &repaired, version)?;
    }
    Ok(())
}

/// Reading never panics, agrees with the description, and what was read is written and read again as the same value.
///
/// # Errors
/// The first promise that does not hold.
pub fn decode(entry: &Entry, bytes: &[u8], version: u32) -> Result<(), Broken> {
    let result = entry.open(bytes, version);
    agree(entry, bytes, version, result)?;
    match result {
        Ok(used) => rewrite(entry, bytes.get(..used).unwrap_or_default(), version),
        Err(error) => refusal(entry, bytes, version, error),
    }
}

/// A refusal names a place in the input, and a short read is one.
fn refusal(entry: &Entry, bytes: &[u8], version: u32, error: Error) -> Result<(), Broken> {
    let broken = |what: &str| Err(Broken::new(entry.kind, format!("{what}: {error:?}")));
    if error.at() > bytes.len() {
        return broken("an error lies behind the input");
    }
    match error.fault() {
        Fault::Short { needed, available } | Fault::Overrun { needed, available }
            if needed <= available =>
        {
            return broken("a short read needs no more than is there");
        }
        Fault::Changed => return broken("the two runs of the checks differ"),
        _ => {}
    }
    // A dump of anything can be shown.
    let shown = Dump::new(entry.kind, bytes, version)
        .with_error(error)
        .most_entries(8);
    if shown.to_string().is_empty() {
        return broken("a dump is empty");
    }
    Ok(())
}

/// What was read is written, and reads back as the same value; as the same bytes where equal values have equal bytes.
fn rewrite(entry: &Entry, bytes: &[u8], version: u32) -> Result<(), Broken> {
    let broken = |what: String| Err(Broken::new(entry.kind, what));
    let again = |bytes: &[u8]| {
        entry.rewrite(bytes, version).map_err(|refusal| {
            let why = match refusal {
                Refusal::Read(error) => error.to_string(),
                Refusal::Write(error) => error.to_string(),
            };
            Broken::new(
                entry.kind,
                format!("what was read cannot be written: {why}"),
            )
        })
    };
    let written = again(bytes)?;
    if entry.kind.canonical && written != bytes {
        return broken(format!("canonical, but written as {written:02x?}"));
    }
    match entry.open(&written, version) {
        Ok(used) if used == written.len() => {}
        Ok(used) => return broken(format!("wrote {} bytes, read {used}", written.len())),
        Err(error) => return broken(format!("cannot read what was written: {error}")),
    }
    let values = |bytes: &[u8]| tree(entry.kind, bytes, version, Only::Values).0;
    if values(bytes) != values(&written) {
        return broken(format!(
            "written as another value: {} as {}",
            values(bytes),
            values(&written)
        ));
    }
    if version_in(entry.kind, bytes) != version_in(entry.kind, &written) {
        return broken("written in another version".to_string());
    }
    if again(&written)? != written {
        return broken("writing it once more gives other bytes".to_string());
    }
    Ok(())
}

/// An arbitrary value in `version` can be written, and reads back. Without enough `entropy` there is none.
///
/// # Errors
/// The first promise that does not hold.
#[cfg(feature = "arbitrary")]
pub fn round_trip(entry: &Entry, entropy: &[u8], version: u32) -> Result<Option<Vec<u8>>, Broken> {
    let mut from = arbitrary::Unstructured::new(entropy);
    let Ok(made) = entry.generate(&mut from, version) else {
        return Ok(None);
    };
    let bytes = made.map_err(|error| {
        Broken::new(
            entry.kind,
            format!("an arbitrary value cannot be written: {error}"),
        )
    })?;
    match entry.open(&bytes, version) {
        Ok(used) if used == bytes.len() => {}
        Ok(used) => {
            let what = format!("wrote {} bytes, read {used}", bytes.len());
            return Err(Broken::new(entry.kind, what));
        }
        Err(error) => {
            return Err(Broken::new(
                entry.kind,
                format!("wrote what cannot be read: {error}"),
            ));
        }
    }
    decode(entry, &bytes, version)?;
    Ok(Some(bytes))
}

/// Everything that is promised of any kind of a registry, for one fuzz target: the first byte of `input` chooses the
/// kind and whether the rest is read as bytes or makes a value to be written.
///
/// # Panics
/// A promise that does not hold.
#[cfg(feature = "arbitrary")]
pub fn any(entries: &[Entry], input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else {
        return;
    };
    let Some(entry) = entries.get(usize::from(choice >> 1) % entries.len().max(1)) else {
        return;
    };
    let (version, bytes) = split(entry.kind, rest);
    let held = match choice & 1 {
        0 => check(entry, bytes, version),
        _ => round_trip(entry, bytes, pick(entry.kind, choice)).map(|_| ()),
    };
    held.unwrap_or_else(|broken| panic!("{broken}"));
}

/// The version and the bytes in the input of a fuzz target: a kind that takes its version from outside has it in the
/// first byte.
#[must_use]
pub fn split<'a>(kind: &Kind, input: &'a [u8]) -> (u32, &'a [u8]) {
    match (kind.version_of, input) {
        (Some(_), [first, rest @ ..]) => (pick(kind, *first), rest),
        (Some(_), []) => (pick(kind, 0), input),
        (None, _) => (0, input),
    }
}

/// The input of a fuzz target for these bytes: what [`split`] takes apart.
#[must_use]
pub fn join(kind: &Kind, version: u32, bytes: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    if kind.version_of.is_some() {
        let number = version.saturating_sub(*kind.read_range().start());
        input.push(u8::try_from(number).unwrap_or(0));
    }
    input.extend(bytes);
    input
}

/// One of the versions that are read.
#[must_use]
pub fn pick(kind: &Kind, choice: u8) -> u32 {
    let versions = kind.read_range();
    let count = versions.end() - versions.start() + 1;
    versions.start() + u32::from(choice) % count
}

#[cfg(test)]
mod tests;
