//! Writing again what may not be on the device.

use std::io;

use crate::disk::{self, File};
use crate::planted::{self, Planted};

/// Bytes that are written again at once.
const CHUNK: u64 = 1 << 20;

/// Writes the bytes from `from` to `to` again, with their own contents, and syncs them (Felix 7.9). After a failed sync the
/// page cache may hold as clean what the device never got, so nothing less makes them durable.
pub(crate) fn write_again(file: &dyn File, from: u64, to: u64) -> io::Result<()> {
    let mut buffer = Vec::new();
    let mut position = match planted::is(Planted::CacheTrusted) {
        true => to,
        false => from.min(to),
    };
    while position < to {
        let piece = (to - position).min(CHUNK);
        buffer.resize(usize::try_from(piece).unwrap_or(usize::MAX), 0);
        disk::read_exact_at(file, &mut buffer, position)?;
        disk::write_all_at(file, &buffer, position)?;
        position += piece;
    }
    file.sync_data()
}
