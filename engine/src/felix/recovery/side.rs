//! Names for what a repair takes out (Felix 7.1).

use std::collections::BTreeSet;

use ondisk::felix::name::SegmentFile;

use crate::felix::shard::Shard;

/// Names of side files, each given out once.
pub(super) struct SideNames<'a> {
    shard: &'a Shard,
    given: BTreeSet<SegmentFile>,
}

impl<'a> SideNames<'a> {
    pub(super) fn new(shard: &'a Shard) -> Self {
        Self {
            shard,
            given: BTreeSet::new(),
        }
    }

    /// The name with this number, or the next one that is free: whatever is there is never overwritten.
    pub(super) fn take(&mut self, id: u64, number: u64) -> SegmentFile {
        let mut number = number;
        loop {
            let name = SegmentFile::Cut { id, number };
            if !self.shard.has(name) && self.given.insert(name) {
                return name;
            }
            number = number.wrapping_add(1);
        }
    }
}
