//! What may be found when power comes back.

use std::sync::Arc;

use super::Model;
use super::chance::{Chance, Fates};
use super::hostile::Harm;
use super::names::Names;
use super::world::{Inode, ROOT, World};

pub(super) fn after(was: &World, model: Model, seed: u64) -> World {
    let mut chance = Chance::new(seed);
    let harm = Harm::of(model, &mut chance);
    let fates = Fates::draw(moment(was, &mut chance), &mut chance);
    let names = was.names_after(fates.names, &mut chance);
    let mut found = was.blank();
    let mut left = vec![ROOT];
    while let Some(inode) = left.pop() {
        if found.inodes.contains_key(&inode) {
            continue;
        }
        let it = match was.inodes.get(&inode) {
            Some(Inode::File(content)) => {
                let mut it = content.after(fates.of_file(&mut chance), &mut chance);
                harm.blocks(content, &mut it, &was.stale, &mut chance);
                Inode::File(it)
            }
            Some(Inode::Directory(_)) => {
                let names = names.get(&inode).map(Arc::clone).unwrap_or_default();
                left.extend(names.values());
                Inode::Directory(Names::of(names))
            }
            None => continue,
        };
        found.inodes.insert(inode, it);
    }
    harm.bits(was, &mut found, &mut chance);
    found
}

/// One of the operations since which something is not synced.
fn moment(was: &World, chance: &mut Chance) -> u64 {
    let (mut first, mut last) = (u64::MAX, 0);
    let mut meet = |at: u64| {
        first = first.min(at);
        last = last.max(at);
    };
    for change in &was.changes {
        meet(change.at);
    }
    for inode in was.inodes.values() {
        if let Inode::File(content) = inode {
            content.operations().for_each(&mut meet);
        }
    }
    match last.checked_sub(first) {
        Some(between) => first + chance.below(between + 1),
        None => 0,
    }
}
