//! What every kind must hold, whatever it is made of. A case is a kind, a version and the bytes of one instance.
#![allow(dead_code, reason = "each test crate needs its own part of it")]

use ondisk::registry::{Entry, Registered};
use ondisk::{Fault, promise};

/// Pseudo-random inputs a case.
const JUNK: u32 = 3000;

/// Hex digits, spaces between them ignored.
#[track_caller]
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    assert_eq!(digits.len() % 2, 0, "{text}");
    digits.chunks(2).map(byte).collect()
}

/// An instance of a kind, and what is promised of it.
pub struct Case {
    entry: Entry,
    version: u32,
    bytes: Vec<u8>,
}

/// A refusal: the row, the position, what is wrong.
pub type Refused = (&'static str, usize, Fault);

impl Case {
    /// An instance of `K`: it is read, written again as the same bytes, and every other input near it is read or refused
    /// as the description says.
    #[track_caller]
    pub fn of<K: Registered>(version: u32, bytes: &str) -> Self {
        let case = Self::unwritten::<K>(version, bytes);
        let rewritten = case.entry.rewrite(&case.bytes, version);
        assert_eq!(rewritten.unwrap(), case.bytes);
        case
    }

    /// As [`of`](Self::of), but a writer makes other bytes of the same value.
    #[track_caller]
    pub fn unwritten<K: Registered>(version: u32, bytes: &str) -> Self {
        let case = Self {
            entry: Entry::of::<K>(),
            version,
            bytes: hex(bytes),
        };
        assert_eq!(case.open(&case.bytes), Ok(case.bytes.len()));
        case.cuts();
        case.flips();
        case.junk();
        case
    }

    fn open(&self, bytes: &[u8]) -> Result<usize, Refused> {
        let opened = self.entry.open(bytes, self.version);
        opened.map_err(|error| (error.row(), error.at(), error.fault()))
    }

    #[track_caller]
    fn keeps(&self, bytes: &[u8]) {
        if let Err(broken) = promise::check(&self.entry, bytes, self.version) {
            panic!("{broken}\nversion {} of {bytes:02x?}", self.version);
        }
    }

    /// Truncation at every byte. What needs no end is never taken for damage, and never asks for more than there is.
    #[track_caller]
    fn cuts(&self) {
        for cut in 0..self.bytes.len() {
            let bytes = &self.bytes[..cut];
            self.keeps(bytes);
            if self.entry.kind.whole {
                continue;
            }
            match self.open(bytes).unwrap_err().2 {
                Fault::Short { needed, available } => {
                    let (len, there) = (self.bytes.len() as u64, cut as u64);
                    // Inside a nested kind both count from its start.
                    assert!(available <= there && needed > available, "{cut}");
                    assert!(there + (needed - available) <= len, "{cut}: {needed}");
                }
                fault => panic!("cut to {cut}: {fault:?}"),
            }
        }
    }

    /// Every single bit.
    #[track_caller]
    fn flips(&self) {
        let mut bytes = self.bytes.clone();
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            self.keeps(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }

    /// Pseudo-random inputs, most of them an instance with some bytes changed.
    #[track_caller]
    fn junk(&self) {
        #[cfg(feature = "arbitrary")]
        let version =
            ondisk::walk::version_in(self.entry.kind, &self.bytes).unwrap_or(self.version);
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for round in 0..JUNK {
            let mut bytes = self.bytes.clone();
            match dice.below(4) {
                0 => bytes = (0..dice.below(80)).map(|_| dice.byte()).collect(),
                1 => bytes.truncate(dice.below(bytes.len() + 1)),
                2 => bytes.extend((0..dice.below(12)).map(|_| dice.byte())),
                _ => {}
            }
            for _ in 0..=dice.below(3) {
                let at = dice.below(bytes.len().max(1));
                let edge = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = match round % 2 {
                        0 => edge[dice.below(edge.len())],
                        _ => dice.byte(),
                    };
                }
            }
            // What is promised of refusals is checked with dumps, which take their time.
            if round % 8 == 0 {
                self.keeps(&bytes);
            }
            let _ = self.open(&bytes);
            #[cfg(feature = "arbitrary")]
            if round % 8 == 1
                && let Err(broken) = promise::round_trip(&self.entry, &bytes, version)
            {
                panic!("{broken}\nfrom {bytes:02x?}");
            }
        }
    }

    /// The bytes that a reader asks for, from none on until it has all of them.
    pub fn needs(&self) -> Vec<u64> {
        let mut needs = Vec::new();
        let mut there = 0;
        while let Err((_, _, Fault::Short { needed, available })) =
            self.open(&self.bytes[..there.min(self.bytes.len())])
        {
            there += usize::try_from(needed - available).unwrap();
            needs.push(there as u64);
        }
        assert_eq!(there, self.bytes.len());
        needs
    }

    /// What is said when the input ends after `cut` bytes.
    #[track_caller]
    pub fn cut(&self, cut: usize) -> Refused {
        self.open(&self.bytes[..cut]).unwrap_err()
    }

    /// What is said when `bytes` stand at `at` instead.
    #[track_caller]
    pub fn with(&self, at: usize, bytes: &str) -> Refused {
        self.open(&self.patched(at, bytes)).unwrap_err()
    }

    /// As [`with`](Self::with), checksums made right again.
    #[track_caller]
    pub fn repaired_with(&self, at: usize, bytes: &str) -> Refused {
        let mut patched = self.patched(at, bytes);
        ondisk::repair::repair(self.entry.kind, &mut patched, self.version);
        self.open(&patched).unwrap_err()
    }

    /// What is said when `bytes` follow.
    #[track_caller]
    pub fn and(&self, bytes: &str) -> Refused {
        let mut longer = self.bytes.clone();
        longer.extend(hex(bytes));
        self.open(&longer).unwrap_err()
    }

    /// These other bytes are read, and written as `written`.
    #[track_caller]
    pub fn reads(&self, bytes: &str, written: &str) {
        let bytes = hex(bytes);
        self.keeps(&bytes);
        let rewritten = self.entry.rewrite(&bytes, self.version).unwrap();
        assert_eq!(rewritten, hex(written));
    }

    #[track_caller]
    fn patched(&self, at: usize, bytes: &str) -> Vec<u8> {
        let (mut patched, bytes) = (self.bytes.clone(), hex(bytes));
        patched[at..at + bytes.len()].copy_from_slice(&bytes);
        patched
    }
}

/// The input ends too early.
pub const fn short(needed: u64, available: u64) -> Fault {
    Fault::Short { needed, available }
}

/// Something does not fit where it must.
pub const fn overrun(needed: u64, available: u64) -> Fault {
    Fault::Overrun { needed, available }
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}
