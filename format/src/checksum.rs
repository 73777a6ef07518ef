//! The checksums that a definition can name. Each continues from a finished value, so that two checksums over a common
//! prefix read it once.

use core::fmt;

mod table;

/// A checksum algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// CRC-32 (IEEE 802.3), reflected, polynomial `edb88320`.
    Crc32,
    /// CRC-32C (Castagnoli), reflected, polynomial `82f63b78`.
    Crc32c,
    /// CRC-64/XZ, reflected, polynomial `c96c5795d7870f42`.
    Crc64,
}

impl Algorithm {
    /// Bytes of a stored checksum.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Crc32 | Self::Crc32c => 4,
            Self::Crc64 => 8,
        }
    }

    /// Continues from the checksum of what stands before `bytes`; 0 at the start.
    #[must_use]
    pub fn continue_from(self, before: u64, bytes: &[u8]) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a value of a 32-bit checksum has 32 bits"
        )]
        match self {
            Self::Crc32 => u64::from(crc32(before as u32, bytes)),
            Self::Crc32c => u64::from(crc32c(before as u32, bytes)),
            Self::Crc64 => crc64(before, bytes),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crc32 => "CRC-32",
            Self::Crc32c => "CRC-32C",
            Self::Crc64 => "CRC-64/XZ",
        })
    }
}

/// From this many bytes on, the carry-less multiplication of `crc32fast` is faster than tables: measured, see
/// `docs/performance.md`.
const VECTOR: usize = 32;

/// CRC-32 (IEEE), continued from `before`.
#[must_use]
#[inline]
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < VECTOR {
        table::crc32(before, bytes)
    } else {
        vector32(before, bytes)
    }
}

/// CRC-32 (IEEE) over a number of bytes that the caller's code knows, continued from `before`. The few bytes of a header
/// are summed from registers, without a call.
#[must_use]
#[inline(always)]
pub fn crc32_of<const N: usize>(before: u32, bytes: &[u8; N]) -> u32 {
    if 4 <= N && N <= table::STEP {
        table::crc32_step(before, bytes)
    } else {
        crc32(before, bytes)
    }
}

fn vector32(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

/// CRC-32C (Castagnoli), continued from `before`.
#[must_use]
#[inline]
pub fn crc32c(before: u32, bytes: &[u8]) -> u32 {
    #[cfg(feature = "std")]
    return ::crc32c::crc32c_append(before, bytes);
    #[cfg(not(feature = "std"))]
    table::crc32c(before, bytes)
}

/// CRC-64/XZ, continued from `before`.
#[must_use]
pub fn crc64(before: u64, bytes: &[u8]) -> u64 {
    table::crc64(before, bytes)
}

#[cfg(test)]
mod tests;
