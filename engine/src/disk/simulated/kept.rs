//! Which names are kept by a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::chance::{Chance, Fate};
use super::names::{Change, Map, Names, Place};
use super::world::{Inode, ROOT, World};

impl World {
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
        let changes = self.changes.iter().enumerate();
        let is_kept = |it: &(usize, &Change)| fate.pick([it.1.at].into_iter(), chance).is_some();
        let kept: Vec<(usize, &Change)> = changes.filter(is_kept).collect();
        let synced = self.all_names(|names| &names.synced);
        if kept.is_empty() {
            return synced;
        }
        let mut found = synced.clone();
        let mut may_lose = self
            .changes
            .iter()
            .any(|change| self.is_of_directory(change));
        for &(index, change) in &kept {
            may_lose |= takes_name_of_another(change, &found);
            keep(change, &self.changes[..index], &mut found);
        }
        if !may_lose {
            return found;
        }
        let precious = self.precious(&synced);
        if precious.is_subset(&reached(&found)) {
            return found;
        }
        // Something went because a change was undone that had moved it elsewhere. One by one, then, without those that do
        // that.
        found = synced;
        for (index, change) in kept {
            let mut tried = found.clone();
            keep(change, &self.changes[..index], &mut tried);
            let (before, after) = (reached(&found), reached(&tried));
            if before.difference(&after).all(|it| !precious.contains(it)) {
                found = tried;
            }
        }
        found
    }

    fn is_of_directory(&self, change: &Change) -> bool {
        let mut inodes = [Some(change.inode), change.over].into_iter().flatten();
        inodes.any(|inode| matches!(self.inodes.get(&inode), Some(Inode::Directory(_))))
    }

    /// What has a name on the device and in the cache, and of which no half of a move was synced.
    fn precious(&self, synced: &All) -> BTreeSet<u64> {
        let now = reached(&self.all_names(|names| &names.now));
        let mut precious = reached(synced);
        precious.retain(|inode| now.contains(inode));
        for change in &self.changes {
            if change.from.is_none() || change.to.is_none() {
                precious.remove(&change.inode);
            }
        }
        precious
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

/// Does to names on the device what was done in the cache, after what was done earlier and may have been undone.
fn keep(change: &Change, earlier: &[Change], found: &mut All) {
    if let Some(from) = &change.from {
        take(from, change.inode, found);
    }
    if change.from.is_some() && change.to.is_some() {
        // A file that is moved is under one name, even if the move that brought it there was undone.
        for change in earlier.iter().filter(|it| it.inode == change.inode) {
            for place in change.places() {
                take(place, change.inode, found);
            }
        }
    }
    if let Some(to) = &change.to
        && let Some(names) = found.get_mut(&to.directory)
    {
        Arc::make_mut(names).insert(Arc::clone(&to.name), change.inode);
    }
}

/// Takes a name away, if it stands for this.
fn take(place: &Place, inode: u64, found: &mut All) {
    if let Some(names) = found.get_mut(&place.directory)
        && names.get(&place.name) == Some(&inode)
    {
        Arc::make_mut(names).remove(&place.name);
    }
}
