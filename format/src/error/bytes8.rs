//! The few bytes that an error quotes.

use core::fmt;

/// Up to eight bytes, for the magics in a [`Fault::Magic`](crate::Fault::Magic).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bytes8 {
    len: u8,
    bytes: [u8; 8],
}

impl Bytes8 {
    /// The first eight bytes of `from`, or all when it has fewer.
    #[must_use]
    pub fn of(from: &[u8]) -> Self {
        let mut out = Self {
            len: 0,
            bytes: [0; 8],
        };
        for (to, &byte) in out.bytes.iter_mut().zip(from) {
            *to = byte;
            out.len += 1;
        }
        out
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The first four bytes as a big-endian number, as specifications write a magic.
    #[must_use]
    pub const fn be_u32(&self) -> u32 {
        let [a, b, c, d, ..] = self.bytes;
        u32::from_be_bytes([a, b, c, d])
    }
}

impl fmt::Display for Bytes8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        if !self.as_bytes().is_empty() && self.as_bytes().iter().all(u8::is_ascii_graphic) {
            f.write_str(" \"")?;
            for &byte in self.as_bytes() {
                write!(f, "{}", char::from(byte))?;
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bytes8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
