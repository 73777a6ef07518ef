//! `durable.mark`: up to where the active segment was flushed (Felix 6).

use std::io;

use ondisk::felix::DurableMark;

use super::Loaded;
use crate::disk::is_irregular;
use crate::felix::error::SidecarDamage;
use crate::felix::mark::Mark;
use crate::felix::shard::Shard;

/// The mark. Only its first bytes count; whatever keeps it from decoding means that there is none. It was read a single
/// time, when the shard was listed.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<DurableMark> {
    match shard.mark() {
        Ok(bytes) => match DurableMark::view(bytes) {
            Ok(mark) => Loaded::Sound(mark.to_value()),
            Err(error) => Loaded::Damaged(SidecarDamage::of(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Loaded::Absent,
        Err(error) if is_irregular(error) => Loaded::Irregular,
        Err(error) => Loaded::Unreadable(error.to_string()),
    }
}

impl From<&Loaded<DurableMark>> for Mark {
    fn from(loaded: &Loaded<DurableMark>) -> Self {
        Self(loaded.sound().copied())
    }
}
