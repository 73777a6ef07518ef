//! `keys.idx`: key index of a cache (Felix 11.7).

use ondisk::felix::KeyIndex;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::file::{COUNTED, derived};
use crate::felix::shard::Shard;

/// The bytes of a key index that decodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyIndexFile {
    bytes: Vec<u8>,
}

impl KeyIndexFile {
    /// What they say. They were checked when they were read.
    ///
    /// # Errors
    /// None in effect.
    pub fn view(&self) -> Result<ondisk::felix::KeyIndexView<'_>, ondisk::Error> {
        KeyIndex::view(&self.bytes)
    }
}

/// Reads the key index. Whether it is one of this log is for the projection to find out.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<KeyIndexFile> {
    derived(shard, Sidecar::KeyIndex, COUNTED, |bytes| {
        KeyIndex::view(bytes)?;
        Ok(KeyIndexFile {
            bytes: bytes.to_vec(),
        })
    })
}
