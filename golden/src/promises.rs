//! What a definition promises of any input and of arbitrary values.

use ondisk::promise::{check, round_trip};

use crate::Harness;
use crate::problems::Problems;

/// Arbitrary values of a kind and version, and junk inputs.
const ROUNDS: u64 = 100;

impl Harness {
    /// Arbitrary values are written and read in every version.
    ///
    /// # Panics
    /// With the values that are not, and the kinds that none could be made of.
    pub fn arbitrary_values_round_trip(&self) {
        let mut problems = Problems::default();
        for entry in self.entries {
            for version in entry.kind.read_range() {
                let name = format!("{} version {version}", entry.kind.name);
                let mut made = 0;
                for seed in 0..ROUNDS {
                    let entropy = junk(seed, 64 + 8 * usize::try_from(seed).unwrap_or(0));
                    let result = round_trip(entry, &entropy, version);
                    let about = format!("{name}, seed {seed}");
                    made += u64::from(problems.check(about, result).flatten().is_some());
                }
                if made < ROUNDS / 2 {
                    problems.add(format!(
                        "{name}: only {made} of {ROUNDS} values could be made"
                    ));
                }
            }
        }
        problems.report();
    }

    /// The generated readers and the descriptions come to the same result, and what is read is written back: for the
    /// vectors, for each with a bit flipped or an end cut off, and for junk; as it is and with right checksums.
    ///
    /// # Panics
    /// With the inputs that they differ about.
    pub fn readers_and_descriptions_agree(&self) {
        let mut problems = Problems::default();
        for instance in self.instances() {
            let stem = instance.stem();
            let (entry, version) = (instance.entry, instance.version);
            for len in 0..=instance.bytes.len() {
                let cut = &instance.bytes[..len];
                problems.check(format!("{stem} cut to {len}"), check(entry, cut, version));
            }
            for at in 0..instance.bytes.len() {
                for bit in 0..8 {
                    let mut flipped = instance.bytes.clone();
                    flipped[at] ^= 1 << bit;
                    let result = check(entry, &flipped, version);
                    problems.check(format!("{stem}, bit {bit} of byte {at}"), result);
                }
            }
        }
        for entry in self.entries {
            for version in entry.kind.read_range() {
                for seed in 0..ROUNDS {
                    let input = junk(seed, usize::try_from(seed).unwrap_or(0));
                    let about = format!("{} version {version}, junk {seed}", entry.kind.name);
                    problems.check(about, check(entry, &input, version));
                }
            }
        }
        problems.report();
    }
}

/// Bytes that are the same in every run: half of them small, as lengths and counts are.
fn junk(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let [small, byte, ..] = (mixed ^ mixed >> 31).to_le_bytes();
        if small & 1 == 0 { byte } else { byte & 3 }
    };
    (0..len).map(|_| next()).collect()
}
