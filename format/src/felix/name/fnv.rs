//! FNV-1a over 64 bits, the hash in directory names (Felix 1.2).

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A running hash; bytes may come in pieces.
pub(super) struct Fnv1a(u64);

impl Fnv1a {
    pub(super) const fn new() -> Self {
        Self(BASIS)
    }

    /// Goes on behind bytes whose hash is known: it has no other state.
    pub(super) const fn after(hash: u64) -> Self {
        Self(hash)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    pub(super) const fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv1a;

    fn hash(pieces: &[&str]) -> u64 {
        let mut hash = Fnv1a::new();
        for piece in pieces {
            hash.write(piece.as_bytes());
        }
        hash.finish()
    }

    #[test]
    fn vectors() {
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(&["a"]), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(&["foobar"]), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn pieces_do_not_matter() {
        assert_eq!(hash(&["foo", "", "bar"]), hash(&["foobar"]));
        let mut after = Fnv1a::after(hash(&["foo"]));
        after.write(b"bar");
        assert_eq!(after.finish(), hash(&["foobar"]));
    }
}
