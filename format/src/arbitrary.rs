//! Arbitrary values that can be written: lengths match, enums are known in the version, optional rows are there when
//! they must be.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

pub use arbitrary::{Result, Unstructured};

use crate::encode::Encode;
use crate::error::EncodeError;

/// An arbitrary value that suits a version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind with arbitrary values",
    label = "not a kind",
    note = "annotate it with `#[derive(Format)]` or `#[format(..)]`, or implement `ondisk::arbitrary::ArbitraryAt` by hand"
)]
pub trait ArbitraryAt<'a>: Sized {
    /// Makes one.
    ///
    /// # Errors
    /// Too little entropy.
    fn arbitrary_at(from: &mut Unstructured<'a>, version: u32) -> Result<Self>;
}

/// The bytes of an arbitrary value, or why the writer refuses it.
pub type Generated = core::result::Result<Vec<u8>, EncodeError>;

/// The bytes of an arbitrary value.
pub trait Generate: Encode {
    /// Makes one.
    ///
    /// # Errors
    /// Too little entropy; inside, a value that the writer refuses.
    fn generate(
        from: &mut Unstructured<'_>,
        version: u32,
    ) -> Result<core::result::Result<Vec<u8>, EncodeError>>;
}

/// The longest text or run of bytes that is made, and the most entries: enough to be interesting.
const MOST: usize = 96;

/// A length in `limits`, and none that makes too much.
fn length(from: &mut Unstructured<'_>, limits: RangeInclusive<u64>, most: usize) -> Result<usize> {
    let least = usize::try_from(*limits.start()).unwrap_or(usize::MAX);
    let most = usize::try_from(*limits.end()).unwrap_or(most).min(most);
    if most < least {
        return Err(arbitrary::Error::NotEnoughData);
    }
    from.int_in_range(least..=most)
}

/// Some bytes, their number in `limits`.
///
/// # Errors
/// Too little entropy.
pub fn bytes<'a>(from: &mut Unstructured<'a>, limits: RangeInclusive<u64>) -> Result<&'a [u8]> {
    let most = MOST.min(from.len());
    let least = usize::try_from(*limits.start()).unwrap_or(usize::MAX);
    let len = length(from, limits, most)?.min(from.len());
    if len < least {
        return Err(arbitrary::Error::NotEnoughData);
    }
    from.bytes(len)
}

/// Some text, the number of its bytes in `limits`: the part of some bytes that is UTF-8.
///
/// # Errors
/// Too little entropy.
pub fn text<'a>(from: &mut Unstructured<'a>, limits: RangeInclusive<u64>) -> Result<&'a str> {
    let least = usize::try_from(*limits.start()).unwrap_or(usize::MAX);
    let bytes = bytes(from, limits)?;
    let text = match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            core::str::from_utf8(valid).unwrap_or_default()
        }
    };
    if text.len() < least {
        return Err(arbitrary::Error::NotEnoughData);
    }
    Ok(text)
}

/// Owned text.
///
/// # Errors
/// Too little entropy.
pub fn string(from: &mut Unstructured<'_>, limits: RangeInclusive<u64>) -> Result<String> {
    text(from, limits).map(Into::into)
}

/// One of the variants of an enum that `version` has: those with the version from which on they are, and until which.
///
/// # Errors
/// Too little entropy, or no variant in this version.
pub fn variant<T: Copy>(
    from: &mut Unstructured<'_>,
    version: u32,
    all: &[(T, u32, u32)],
) -> Result<T> {
    let mut known = all
        .iter()
        .filter(|(_, since, until)| *since <= version && version <= *until);
    let chosen = from.choose_index(known.clone().count())?;
    let variant = known.nth(chosen).map(|(variant, ..)| *variant);
    variant.ok_or(arbitrary::Error::IncorrectFormat)
}

/// Some entries, the sum of their bytes in `limits`.
///
/// # Errors
/// Too little entropy.
pub fn entries_of_bytes<'a, T: ArbitraryAt<'a> + Encode>(
    from: &mut Unstructured<'a>,
    limits: RangeInclusive<u64>,
    version: u32,
) -> Result<Vec<T>> {
    let mut entries = Vec::new();
    let mut bytes = 0;
    while bytes < *limits.start() || (entries.len() < 8 && from.arbitrary()?) {
        let entry = T::arbitrary_at(from, version)?;
        bytes += entry.encoded_len_at(version) as u64;
        if bytes > *limits.end() {
            break;
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// Some entries, their number in `limits`.
///
/// # Errors
/// Too little entropy.
pub fn entries<'a, T: ArbitraryAt<'a>>(
    from: &mut Unstructured<'a>,
    limits: RangeInclusive<u64>,
    version: u32,
) -> Result<Vec<T>> {
    let most = usize::try_from(*limits.start())
        .unwrap_or(MOST)
        .clamp(8, MOST);
    let len = length(from, limits, most)?;
    (0..len).map(|_| T::arbitrary_at(from, version)).collect()
}
