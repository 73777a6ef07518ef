//! `durable.mark`: up to where the active segment was flushed (Felix 6).

use ondisk::felix::DurableMark;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::file::{Look, derived};
use crate::felix::mark::Mark;
use crate::felix::shard::Shard;

/// Reads the mark. Only its first bytes count; whatever keeps it from decoding means that there is none.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<DurableMark> {
    derived(
        shard,
        Sidecar::DurableMark,
        Look::First(DurableMark::MIN as u64),
        |bytes| DurableMark::view(&bytes).map(|view| view.to_value()),
    )
}

impl From<&Loaded<DurableMark>> for Mark {
    fn from(loaded: &Loaded<DurableMark>) -> Self {
        Self(loaded.sound().copied())
    }
}
