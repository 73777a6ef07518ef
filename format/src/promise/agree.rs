//! The generated reader against the description.

use alloc::format;
use alloc::string::String;

use super::Broken;
use crate::describe::{Shape, Trailing};
use crate::error::{Error, Fault};
use crate::registry::Entry;
use crate::walk::faults;

/// The generated reader and the description come to the same result, but for the rules that stand in code.
pub(super) fn agree(
    entry: &Entry,
    bytes: &[u8],
    version: u32,
    result: Result<usize, Error>,
) -> Result<(), Broken> {
    let kind = entry.kind;
    let broken = |what: String| Err(Broken::new(kind, what));
    if !matches!(kind.shape, Shape::Rows(_)) {
        return Ok(());
    }
    let (faults, walked) = faults(kind, bytes, version);
    match result {
        Ok(_) if !faults.is_empty() => broken(format!("read, though {:?}", faults.first())),
        Ok(used) if kind.trailing == Trailing::Refuse && walked != Some(used) => broken(format!(
            "reads {used} bytes, the description gives {walked:?}"
        )),
        Ok(_) => Ok(()),
        Err(error) if is_explained(error, &faults, walked.is_none()) => Ok(()),
        // A last entry that is cut and also wrong is not merely torn; the walk leaves it out.
        Err(error) if kind.trailing == Trailing::Ignore && error.kind() != kind => Ok(()),
        Err(error) => broken(format!(
            "the reader finds {error:?}, the description {faults:?}"
        )),
    }
}

/// Whether what the description finds wrong goes with what the reader says. The first fault by the order of checks need
/// not be the first by the order of bytes.
fn is_explained(error: Error, faults: &[Error], stopped: bool) -> bool {
    match (error.fault(), faults.last()) {
        // Rules in code are unknown to the description.
        (Fault::Refused { .. }, _) => true,
        (_, None) => false,
        // Which row is to blame for a length that does not fit depends on the order of the checks.
        (
            Fault::Short { .. }
            | Fault::Overrun { .. }
            | Fault::Length { .. }
            | Fault::Trailing { .. },
            _,
        ) => true,
        // The reader saw a row in a run of fixed ones that the walk did not come to.
        (_, Some(stop)) if stopped && stop.at() <= error.at() => true,
        // It looks for the foot of a whole file at its end, also where that was cut off.
        _ if stopped && error.kind().whole => true,
        // Up to where a checksum goes on is not clear where lengths do not fit.
        (Fault::Checksum { .. }, _) if stopped => true,
        _ => faults.contains(&error),
    }
}
