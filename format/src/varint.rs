//! LEB128 varints, seven bits a byte, the low group first; signed ones in zig-zag.

/// Why a varint cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarintFault {
    /// The input ends inside it.
    Short,
    /// It has more than `bits` bits, or more bytes than they need.
    TooLong,
}

/// Reads an unsigned varint of at most `bits` bits and returns it with the bytes it takes.
///
/// # Errors
/// See [`VarintFault`].
#[inline]
pub fn read(bytes: &[u8], bits: u32) -> Result<(u64, usize), VarintFault> {
    let (mut value, mut shift, mut used) = (0u64, 0u32, 0);
    for &byte in bytes {
        let group = u64::from(byte & 0x7f);
        if shift >= bits || (shift + 7 > bits && group >> (bits - shift) != 0) {
            return Err(VarintFault::TooLong);
        }
        value |= group << shift;
        used += 1;
        if byte & 0x80 == 0 {
            return Ok((value, used));
        }
        shift += 7;
    }
    Err(if shift >= bits {
        VarintFault::TooLong
    } else {
        VarintFault::Short
    })
}

/// The bytes that `value` takes.
#[must_use]
pub const fn len(value: u64) -> usize {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    bits.div_ceil(7)
}

/// The groups of `value`, padded, and how many of them count.
#[must_use]
pub fn write(value: u64) -> ([u8; 10], usize) {
    let (mut out, mut left, used) = ([0; 10], value, len(value));
    for byte in out.iter_mut().take(used) {
        let [low, ..] = left.to_le_bytes();
        left >>= 7;
        *byte = (low & 0x7f) | if left == 0 { 0 } else { 0x80 };
    }
    (out, used)
}

/// Signed to zig-zag, for a type of `bits` bits.
#[must_use]
pub const fn zigzag(value: i64, bits: u32) -> u64 {
    let mask = if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    (((value << 1) ^ (value >> 63)) as u64) & mask
}

/// Zig-zag to signed.
#[must_use]
pub const fn unzigzag(value: u64) -> i64 {
    ((value >> 1) as i64) ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_vectors() {
        for (value, bytes) in [
            (0u64, &[0x00][..]),
            (1, &[0x01]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (300, &[0xac, 0x02]),
            (16383, &[0xff, 0x7f]),
            (16384, &[0x80, 0x80, 0x01]),
            (0xffff_ffff, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            let (out, used) = write(value);
            assert_eq!(&out[..used], bytes, "{value}");
            assert_eq!(len(value), bytes.len(), "{value}");
            assert_eq!(read(bytes, 32), Ok((value, bytes.len())));
            assert_eq!(
                read(&bytes[..bytes.len() - 1], 32),
                Err(VarintFault::Short),
                "{value}"
            );
        }
    }

    #[test]
    fn signed_vectors() {
        for (value, bits, raw) in [
            (0i64, 32, 0u64),
            (-1, 32, 1),
            (1, 32, 2),
            (-2, 32, 3),
            (i64::from(i32::MAX), 32, 0xffff_fffe),
            (i64::from(i32::MIN), 32, 0xffff_ffff),
            (i64::MAX, 64, u64::MAX - 1),
            (i64::MIN, 64, u64::MAX),
        ] {
            assert_eq!(zigzag(value, bits), raw, "{value}");
            assert_eq!(unzigzag(raw), value, "{raw}");
        }
    }

    #[test]
    fn too_long_is_not_short() {
        assert_eq!(
            read(&[0xff, 0xff, 0xff, 0xff, 0x1f], 32),
            Err(VarintFault::TooLong)
        );
        assert_eq!(read(&[0x80; 5], 32), Err(VarintFault::TooLong));
        assert_eq!(read(&[0x80; 4], 32), Err(VarintFault::Short));
        assert_eq!(read(&[0x80; 10], 64), Err(VarintFault::TooLong));
        assert_eq!(
            read(
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
                64
            ),
            Err(VarintFault::TooLong)
        );
    }
}
