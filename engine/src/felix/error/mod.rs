//! What goes wrong with a Felix directory, by the names of the specification (Felix 16).

mod corruption;
mod decode;
mod sidecar;
mod site;
mod storage;

pub use corruption::CorruptionKind;
pub use sidecar::SidecarDamage;
pub use site::{Corruption, CorruptionSite};
pub use storage::StorageError;

/// A number of a definition's error as the narrower type of the field it came from.
fn narrow<T: TryFrom<u64>>(number: u64, highest: T) -> T {
    T::try_from(number).unwrap_or(highest)
}
