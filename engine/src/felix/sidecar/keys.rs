//! `keys.idx`: key index of a cache (Felix 11.7).

use ondisk::Kept;
use ondisk::felix::name::Sidecar;
use ondisk::felix::{KeyIndex, KeyIndexView};

use super::Loaded;
use super::file::{counted, derived};
use crate::felix::shard::Shard;

/// A key index that decodes.
#[derive(Debug)]
pub struct KeyIndexFile(Kept<KeyIndex, Vec<u8>>);

impl KeyIndexFile {
    /// What it says; its bytes were checked when they were read.
    #[must_use]
    pub fn view(&self) -> Option<KeyIndexView<'_>> {
        self.0.view()
    }
}

/// Reads the key index. Whether it is one of this log is for the projection to find out.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<KeyIndexFile> {
    derived(shard, Sidecar::KeyIndex, counted(1 << 30), |bytes| {
        Kept::new(bytes, 0).map(KeyIndexFile)
    })
}
