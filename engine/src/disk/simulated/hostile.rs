//! A disk that damages what was not synced, and now and then what was.

use std::sync::Arc;

use super::Model;
use super::chance::Chance;
use super::content::Content;
use super::sectors::{Bytes, SECTOR, bytes_of, within};
use super::world::{Inode, ROOT, World};

/// How often a place is looked for that can rot.
const TRIES: usize = 32;

/// What a disk does besides losing power.
#[derive(Clone, Copy, Default)]
pub(super) struct Harm {
    stale_blocks: bool,
    garbage: bool,
    bit_rot: bool,
}

impl Harm {
    pub(super) fn of(model: Model, chance: &mut Chance) -> Self {
        let none = Self::default();
        let stale_blocks = Self {
            stale_blocks: true,
            ..none
        };
        let garbage = Self {
            garbage: true,
            ..none
        };
        let bit_rot = Self {
            bit_rot: true,
            ..none
        };
        let all = Self {
            stale_blocks: true,
            garbage: true,
            bit_rot: true,
        };
        match model {
            Model::PowerCut => none,
            Model::StaleBlocks => stale_blocks,
            Model::Garbage => garbage,
            Model::BitRot => bit_rot,
            Model::Hostile => match chance.below(4) {
                0 => stale_blocks,
                1 => garbage,
                2 => bit_rot,
                _ => all,
            },
        }
    }

    /// Puts something else into sectors of a file that no sync vouches for: each of them in one of two cases.
    pub(super) fn blocks(
        self,
        was: &Content,
        found: &mut Content,
        stale: &[Arc<Bytes>],
        chance: &mut Chance,
    ) {
        if !self.stale_blocks && !self.garbage {
            return;
        }
        for index in was.doubtful(found.now().len()) {
            if chance.once_in(2) {
                continue;
            }
            let is_stale = self.stale_blocks && (!self.garbage || chance.once_in(2));
            let other = if is_stale {
                stale_sector(stale, index, chance)
            } else {
                Some(garbage(chance))
            };
            if let Some(other) = other {
                let vouched = was.vouched(index);
                found.damage(index, |sector| {
                    for ((byte, other), vouched) in sector.iter_mut().zip(other).zip(vouched) {
                        if !vouched {
                            *byte = other;
                        }
                    }
                });
            }
        }
    }

    /// Flips one bit that was synced.
    pub(super) fn bits(self, was: &World, found: &mut World, chance: &mut Chance) {
        if !self.bit_rot {
            return;
        }
        let mut files = Vec::new();
        list(found, ROOT, "", &mut files);
        // Where nothing is found to be synced in so many tries, there is hardly anything.
        for _ in 0..TRIES {
            let which = usize::try_from(chance.below(files.len() as u64)).unwrap_or(0);
            let Some((path, inode)) = files.get(which) else {
                return;
            };
            let (Some(Inode::File(before)), Some(Inode::File(content))) =
                (was.inodes.get(inode), found.inodes.get_mut(inode))
            else {
                continue;
            };
            let len = content.now().len();
            let (position, bit) = (chance.below(len), chance.below(8));
            if position < len && before.vouched(position / SECTOR)[within(position)] {
                content.damage(position / SECTOR, |sector| {
                    sector[within(position)] ^= 1 << bit;
                });
                found.rotted.push((path.clone(), position));
                return;
            }
        }
    }
}

/// A sector of something that is gone, of the same place in its file if there is one.
fn stale_sector(stale: &[Arc<Bytes>], index: u64, chance: &mut Chance) -> Option<[u8; 512]> {
    let last = (stale.len() as u64).checked_sub(1)?;
    let which = usize::try_from(chance.below(last + 1)).unwrap_or(0);
    let gone = &stale[which];
    let sectors = gone.len().div_ceil(SECTOR);
    let from = if index < sectors {
        index
    } else {
        chance.below(sectors)
    };
    Some(*bytes_of(&gone.part(from)))
}

fn garbage(chance: &mut Chance) -> [u8; 512] {
    let mut bytes = [0; 512];
    for word in bytes.chunks_mut(8) {
        word.copy_from_slice(&chance.next().to_le_bytes());
    }
    bytes
}

/// All files below a directory, by path.
fn list(world: &World, directory: u64, path: &str, files: &mut Vec<(String, u64)>) {
    let Ok(names) = world.names(directory) else {
        return;
    };
    for (name, &inode) in &*names.now {
        match world.inodes.get(&inode) {
            Some(Inode::File(_)) => files.push((format!("{path}{name}"), inode)),
            Some(Inode::Directory(_)) => list(world, inode, &format!("{path}{name}/"), files),
            None => {}
        }
    }
}
