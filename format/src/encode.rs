//! What a writer needs: a value, a version, and a buffer.

use alloc::vec::Vec;

use crate::error::EncodeError;
use crate::format::Format;

/// A kind that can be written. Lengths, counts, magics, versions and checksums are computed, never given.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind that can be written",
    label = "not a kind",
    note = "annotate it with `#[derive(Format)]` or `#[format(..)]`, or implement `ondisk::encode::Encode` by hand"
)]
pub trait Encode: Format {
    /// Exactly the bytes that the value takes in `version`.
    fn encoded_len_at(&self, version: u32) -> usize;

    /// Appends the bytes of the value in `version`. On an error `out` is as it was.
    ///
    /// # Errors
    /// A value that would not read back as what it is.
    fn encode_at(&self, version: u32, out: &mut Vec<u8>) -> Result<(), EncodeError>;

    /// Writes what a view shows.
    ///
    /// # Errors
    /// As [`encode_at`](Self::encode_at).
    fn rewrite(view: Self::View<'_>, version: u32, out: &mut Vec<u8>) -> Result<(), EncodeError>;
}
