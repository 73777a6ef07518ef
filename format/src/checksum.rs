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

/// Below this many bytes the table in cache is faster than setting up carry-less multiplication.
const SHORT: usize = 64;

/// CRC-32 (IEEE), continued from `before`.
#[must_use]
#[inline]
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < SHORT {
        return table::crc32(before, bytes);
    }
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
mod tests {
    use super::*;

    const DIGITS: &[u8] = b"123456789";

    #[test]
    fn check_values_over_the_nine_digits() {
        for (algorithm, check) in [
            (Algorithm::Crc32, 0xcbf4_3926),
            (Algorithm::Crc32c, 0xe306_9283),
            (Algorithm::Crc64, 0x995d_c9bb_df19_39fa),
        ] {
            assert_eq!(algorithm.continue_from(0, DIGITS), check, "{algorithm}");
        }
        assert_eq!(table::crc32c(0, DIGITS), 0xe306_9283);
    }

    #[test]
    fn twenty_zeros_never_verify_as_zero() {
        assert_eq!(crc32(0, &[0; 20]), 0x0fd5_9b8d);
    }

    #[test]
    fn continuing_is_the_same_as_going_through() {
        let bytes: [u8; 300] = core::array::from_fn(|i| (i * 7 % 251) as u8);
        for algorithm in [Algorithm::Crc32, Algorithm::Crc32c, Algorithm::Crc64] {
            let whole = algorithm.continue_from(0, &bytes);
            for cut in [0, 1, 3, 16, 20, 63, 64, 65, 128, 299, 300] {
                let (a, b) = bytes.split_at(cut);
                assert_eq!(
                    algorithm.continue_from(algorithm.continue_from(0, a), b),
                    whole,
                    "{algorithm} at {cut}"
                );
            }
        }
    }

    #[test]
    fn table_and_library_agree() {
        let bytes: [u8; 200] = core::array::from_fn(|i| (i * 31 % 253) as u8);
        for len in 0..200 {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&bytes[..len]);
            assert_eq!(table::crc32(0, &bytes[..len]), hasher.finalize(), "{len}");
            assert_eq!(
                table::crc32c(0, &bytes[..len]),
                crc32c(0, &bytes[..len]),
                "{len}"
            );
        }
    }
}
