//! Reading a small file whole, within a limit.

use std::io;
use std::sync::Arc;

use ondisk::felix::name::Sidecar;

use super::Loaded;
use crate::disk::{self, File, is_irregular};
use crate::felix::error::{SidecarDamage, StorageError};
use crate::felix::shard::Shard;

/// How much of a file is looked at.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// So many bytes from the front; what is behind them is ignored.
    First(u64),
    /// All of it, if it is not longer than `most`; `limit` is the length that a sound one has at most.
    Whole { most: u64, limit: u64 },
}

/// For files that say themselves how many entries they have, and end in a checksum that can only be computed over all of
/// them. Far more entries fit than any shard has; a longer file is damage, so that a sparse one cannot ask for all memory.
pub(crate) const fn counted(limit: u64) -> Look {
    Look::Whole { most: limit, limit }
}

/// Small files are read whole even when they are too long, so that the definition says which check fails first.
pub(crate) const fn small(limit: u64) -> Look {
    Look::Whole {
        most: 1 << 16,
        limit,
    }
}

/// Reads and decodes an authoritative sidecar.
///
/// # Errors
/// [`StorageError::Io`] when the system does not read it.
pub(super) fn authoritative<T>(
    shard: &Shard,
    sidecar: Sidecar,
    look: Look,
    decode: impl FnOnce(Vec<u8>) -> Result<T, ondisk::Error>,
) -> Result<Loaded<T>, StorageError> {
    let path = shard.path().join(sidecar.file_name());
    decoded(read_file(shard.open_sidecar(sidecar), look), decode)
        .map_err(StorageError::io(path, "read"))
}

/// Reads and decodes a derived sidecar.
pub(super) fn derived<T>(
    shard: &Shard,
    sidecar: Sidecar,
    look: Look,
    decode: impl FnOnce(Vec<u8>) -> Result<T, ondisk::Error>,
) -> Loaded<T> {
    decoded(read_file(shard.open_sidecar(sidecar), look), decode)
        .unwrap_or_else(|error| Loaded::Unreadable(error.to_string()))
}

fn decoded<T>(
    read: io::Result<Loaded<Vec<u8>>>,
    decode: impl FnOnce(Vec<u8>) -> Result<T, ondisk::Error>,
) -> io::Result<Loaded<T>> {
    Ok(match read? {
        Loaded::Sound(bytes) => match decode(bytes) {
            Ok(value) => Loaded::Sound(value),
            Err(error) => Loaded::Damaged(SidecarDamage::of(error)),
        },
        Loaded::Absent => Loaded::Absent,
        Loaded::Damaged(damage) => Loaded::Damaged(damage),
        Loaded::Irregular => Loaded::Irregular,
        Loaded::Unreadable(why) => Loaded::Unreadable(why),
    })
}

/// The bytes of a file that was opened, or was not.
///
/// # Errors
/// Whatever the system reports, but for a file that is not there or is no regular one.
pub(crate) fn read_file(
    opened: io::Result<Arc<dyn File>>,
    look: Look,
) -> io::Result<Loaded<Vec<u8>>> {
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Loaded::Absent),
        Err(error) if is_irregular(&error) => return Ok(Loaded::Irregular),
        Err(error) => return Err(error),
    };
    let len = file.stat()?.len;
    let wanted = match look {
        Look::First(most) => len.min(most),
        Look::Whole { most, limit } if len > most => {
            return Ok(Loaded::Damaged(SidecarDamage::Length {
                expected: limit,
                found: len,
            }));
        }
        Look::Whole { .. } => len,
    };
    let wanted =
        usize::try_from(wanted).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(wanted)
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.resize(wanted, 0);
    disk::read_exact_at(&*file, &mut bytes, 0)?;
    Ok(Loaded::Sound(bytes))
}
