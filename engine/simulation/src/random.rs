//! Choices that a seed makes again.

/// SplitMix64: a few instructions, any seed will do, and two processes that begin with the same one go the same way.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The choices of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The choices of the `number`th part of what `seed` is for, apart from those of all its other parts.
    #[must_use]
    pub fn part(seed: u64, number: u64) -> Self {
        Self(Self(seed).next() ^ Self(number.wrapping_add(0x5eed)).next())
    }

    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number from `first` to `last`.
    pub fn from(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// Yes, one time in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let at = usize::try_from(self.below(of.len() as u64)).unwrap_or_default();
        of[at]
    }

    /// A number of `bits` bits at most, each length as likely as any other: small ones are common, large ones occur.
    pub fn any_length(&mut self, bits: u64) -> u64 {
        let length = self.below(bits);
        (1 << length) + self.below(1 << length)
    }
}
