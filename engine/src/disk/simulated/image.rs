//! What may be found when power comes back.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::file::{Content, SECTOR};
use super::{Inode, ROOT, World, directory};

/// The same numbers for the same seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn coin(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap_or(0)
    }
}

/// How sectors fare on one disk: the extremes are as likely as everything between.
#[derive(Clone, Copy)]
enum Fate {
    AllOld,
    AllNew,
    Each,
}

impl Fate {
    fn of(chance: &mut Chance) -> Self {
        match chance.below(4) {
            0 => Self::AllOld,
            1 => Self::AllNew,
            _ => Self::Each,
        }
    }

    fn is_new(self, chance: &mut Chance) -> bool {
        match self {
            Self::AllOld => false,
            Self::AllNew => true,
            Self::Each => chance.coin(),
        }
    }
}

pub(super) fn after(world: &World, seed: u64) -> World {
    let mut chance = Chance(seed);
    let mut found = World {
        next_inode: world.next_inode,
        ..World::default()
    };
    let bytes = Fate::of(&mut chance);
    let names = Fate::of(&mut chance);
    for (&number, inode) in &world.inodes {
        let inode = match inode {
            Inode::File(content) => {
                Inode::File(Content::synced(file_after(content, bytes, &mut chance)))
            }
            Inode::Directory(there) => {
                let mut left = there.synced.clone();
                for change in &there.done {
                    if names.is_new(&mut chance) {
                        change.apply(&mut left);
                    }
                }
                Inode::Directory(directory::Names::synced(left))
            }
        };
        found.inodes.insert(number, inode);
    }
    found
}

fn file_after(content: &Content, fate: Fate, chance: &mut Chance) -> Vec<u8> {
    let mut lengths: Vec<usize> = content.lengths.iter().copied().collect();
    lengths.push(content.synced.len());
    let len = match fate {
        Fate::AllOld => content.synced.len(),
        Fate::AllNew => content.now.len(),
        Fate::Each => lengths[chance.below(lengths.len())],
    };
    let mut bytes = content.synced.clone();
    bytes.resize(len, 0);
    for &sector in &content.dirty {
        let new = fate.is_new(chance);
        let from = sector * SECTOR;
        let to = (from + SECTOR).min(len).min(content.now.len());
        if new && from < to {
            bytes[from..to].copy_from_slice(&content.now[from..to]);
        }
    }
    bytes
}

pub(super) fn fingerprint(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(world, ROOT, &mut hasher);
    hasher.finish()
}

fn hash(world: &World, inode: u64, hasher: &mut DefaultHasher) {
    match world.inodes.get(&inode) {
        Some(Inode::File(content)) => content.now.hash(hasher),
        Some(Inode::Directory(names)) => {
            let names: &BTreeMap<String, u64> = &names.now;
            names.len().hash(hasher);
            for (name, &inode) in names {
                name.hash(hasher);
                hash(world, inode, hasher);
            }
        }
        None => {}
    }
}
