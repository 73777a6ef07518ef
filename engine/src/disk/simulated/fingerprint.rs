//! A number of 64 bits for what lies on a disk, the same in every run.

use super::world::{Inode, ROOT, World};

/// Takes numbers in, in order, and mixes them (the finalizer of SplitMix64).
#[derive(Default)]
pub(super) struct Mix(u64);

impl Mix {
    pub(super) fn add(&mut self, number: u64) {
        let mut mixed = self.0.wrapping_add(number);
        mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ (mixed >> 31);
    }

    /// Bytes, and how many.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        for piece in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.add(u64::from_le_bytes(word));
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.0
    }
}

/// Of all names, and of the bytes and the length of each file, as readers see them.
pub(super) fn of(world: &World) -> u64 {
    let mut mix = Mix::default();
    add(world, ROOT, &mut mix);
    mix.number()
}

fn add(world: &World, inode: u64, mix: &mut Mix) {
    match world.inodes.get(&inode) {
        Some(Inode::File(content)) => {
            mix.add(1);
            mix.add(content.now().hash());
        }
        Some(Inode::Directory(names)) => {
            mix.add(2);
            mix.add(names.now.len() as u64);
            for (name, &inode) in &*names.now {
                mix.bytes(name.as_bytes());
                add(world, inode, mix);
            }
        }
        None => mix.add(0),
    }
}
