//! Finding the rows of an instance by its description.

use crate::describe::Kind;

/// The version that stands in the bytes of an instance.
#[must_use]
pub fn version_in(kind: &'static Kind, bytes: &[u8]) -> Option<u32> {
    let _ = (kind, bytes);
    None
}
