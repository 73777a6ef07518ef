//! What is appended: told by a number, so that a process that reads it back can tell every byte.

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::log::Mark;

use super::doing::Doing;
use crate::random::Random;

/// Records that are appended together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// No two batches of a directory have the same.
    pub id: u64,
    /// What its records are for.
    pub kind: Kind,
    /// Length of each payload, in bytes.
    pub sizes: Vec<u32>,
}

/// What the records of a batch are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They belong to no producer.
    Plain,
    /// A producer's, of `len` records; fewer may come at once.
    Producer(ProducerTag),
    /// One that starts the generation of the batch's number.
    GenerationStart,
}

/// A record as it must be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    batch: u64,
    index: u32,
    bytes: u32,
    mark: Mark,
}

/// Bytes at the front of a payload that tell it from every other: the number of its batch, and its place in that.
pub const SHORTEST: u32 = 12;

/// Bytes of payload from which on an append is a large one.
const MANY_PAGES: u32 = 32 << 10;

impl Batch {
    /// Number of its records.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.sizes.len() as u64
    }

    /// What a kill hits while it is appended.
    #[must_use]
    pub fn doing(&self) -> Doing {
        match self.sizes.iter().sum::<u32>() {
            ..MANY_PAGES => Doing::Append,
            _ => Doing::LargeAppend,
        }
    }

    /// Its records, in order.
    pub fn records(&self) -> impl Iterator<Item = Expected> {
        self.sizes.iter().zip(0..).map(|(&bytes, index)| Expected {
            batch: self.id,
            index,
            bytes,
            mark: match self.kind {
                Kind::Plain => Mark::Ordinary,
                Kind::Producer(tag) if index == 0 => Mark::Opens(tag),
                Kind::Producer(_) => Mark::Continues,
                Kind::GenerationStart => Mark::GenerationStart,
            },
        })
    }
}

impl Expected {
    /// What it is for.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        self.mark
    }

    /// The least that it can take on the disk, in bytes.
    #[must_use]
    pub fn payload_bytes(&self) -> u64 {
        self.bytes.into()
    }

    /// Its payload.
    #[must_use]
    pub fn payload(&self) -> Vec<u8> {
        let mut payload = self.batch.to_be_bytes().to_vec();
        if self.mark == Mark::GenerationStart {
            return payload;
        }
        payload.extend(self.index.to_be_bytes());
        let mut rest = Random::part(self.batch, self.index.into());
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        while payload.len() < bytes {
            payload.extend(rest.next().to_le_bytes());
        }
        payload.truncate(bytes);
        payload
    }

    /// Whether this is what was read.
    #[must_use]
    pub fn is(&self, mark: Mark, payload: &[u8]) -> bool {
        self.mark == mark && self.payload() == payload
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, Kind, SHORTEST};

    #[test]
    fn every_record_is_told_from_every_other() {
        let batch = |id| Batch {
            id,
            kind: Kind::Plain,
            sizes: vec![SHORTEST, SHORTEST, 300],
        };
        let payloads: Vec<_> = [batch(1), batch(2)]
            .iter()
            .flat_map(Batch::records)
            .map(|record| record.payload())
            .collect();
        let lengths: Vec<_> = payloads.iter().map(Vec::len).collect();
        assert_eq!(lengths, [12, 12, 300, 12, 12, 300]);
        for (at, payload) in payloads.iter().enumerate() {
            assert!(!payloads[at + 1..].contains(payload));
        }
    }
}
