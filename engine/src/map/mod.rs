//! Mapped files, and the only `unsafe` of the engine.
//!
//! A [`Map`] is the front of a file that does not change any more. A growing map reaches beyond the end of a file that
//! is still appended to, and shows no more of it than its caller knows to be there.

#![expect(unsafe_code, reason = "memory-mapping a file has no safe interface")]

mod fixed;
mod growing;
mod held;

pub use fixed::Map;
pub(crate) use growing::GrowingMap;
pub(crate) use held::is_mapped;
