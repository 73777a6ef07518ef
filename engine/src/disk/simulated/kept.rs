//! Which names are kept by a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::chance::{Chance, Fate};
use super::names::{Change, Map, Names};
use super::world::{Inode, ROOT, World};

impl World {
    fn is_directory(&self, inode: u64) -> bool {
        matches!(self.inodes.get(&inode), Some(Inode::Directory(_)))
    }

    /// The names in all directories, as `which` they are.
    fn all_names(&self, which: impl Fn(&Names) -> &Arc<Map>) -> All {
        let mut all = All::new();
        for (&inode, it) in &self.inodes {
            if let Inode::Directory(names) = it {
                all.insert(inode, Arc::clone(which(names)));
            }
        }
        all
    }

    /// The names in all directories as they may be found after a crash.
    pub(super) fn names_after(&self, fate: Fate, chance: &mut Chance) -> All {
        let mut found = self.all_names(|names| &names.synced);
        let moves_directory = |it: &Change| {
            let mut inodes = [Some(it.inode), it.over].into_iter().flatten();
            inodes.any(|inode| self.is_directory(inode))
        };
        let is_deep = self.changes.iter().any(moves_directory);
        for change in &self.changes {
            if fate.pick([change.at].into_iter(), chance).is_none() {
                continue;
            }
            if !is_deep && !takes_name_of_another(change, &found) {
                keep(change, &mut found);
                continue;
            }
            let mut kept = found.clone();
            keep(change, &mut kept);
            let (before, after) = (reached(&found), reached(&kept));
            let now = reached(&self.all_names(|names| &names.now));
            // What readers still see was given up here only because a change that moved it elsewhere was undone.
            if before.difference(&after).all(|gone| !now.contains(gone)) {
                found = kept;
            }
        }
        found
    }
}

/// The names in all directories.
pub(super) type All = BTreeMap<u64, Arc<Map>>;

/// Whether a name stands for something else than what had it when the change was made.
fn takes_name_of_another(change: &Change, found: &All) -> bool {
    let Some(to) = &change.to else {
        return false;
    };
    let names = found.get(&to.directory);
    let held = names.and_then(|names| names.get(&to.name)).copied();
    held.is_some_and(|held| held != change.inode && Some(held) != change.over)
}

/// All inodes that have a path.
fn reached(all: &All) -> BTreeSet<u64> {
    let mut reached = BTreeSet::new();
    let mut left = vec![ROOT];
    while let Some(inode) = left.pop() {
        if reached.insert(inode)
            && let Some(names) = all.get(&inode)
        {
            left.extend(names.values());
        }
    }
    reached
}

/// Does to names on the device what was done in the cache.
fn keep(change: &Change, found: &mut All) {
    match (&change.from, &change.to) {
        // A file that is moved is under one name, even if an earlier move was undone.
        (Some(_), Some(_)) => {
            for names in found.values_mut() {
                if names.values().any(|&inode| inode == change.inode) {
                    Arc::make_mut(names).retain(|_, inode| *inode != change.inode);
                }
            }
        }
        (Some(from), None) => {
            if let Some(names) = found.get_mut(&from.directory)
                && names.get(&from.name) == Some(&change.inode)
            {
                Arc::make_mut(names).remove(&from.name);
            }
        }
        (None, _) => {}
    }
    if let Some(to) = &change.to
        && let Some(names) = found.get_mut(&to.directory)
    {
        Arc::make_mut(names).insert(Arc::clone(&to.name), change.inode);
    }
}
