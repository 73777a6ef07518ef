//! The names in directories, in the cache and on the device.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::world::World;

/// Inodes by their names.
pub(super) type Map = BTreeMap<Arc<str>, u64>;

/// The names in a directory.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// As every reader sees them.
    pub(super) now: Arc<Map>,
    /// As they are on the device.
    pub(super) synced: Arc<Map>,
    /// The directory itself has no name any more, and takes none.
    pub(super) is_removed: bool,
}

impl Names {
    /// Names that are all on the device.
    pub(super) fn of(names: Arc<Map>) -> Self {
        Self {
            synced: Arc::clone(&names),
            now: names,
            is_removed: false,
        }
    }
}

/// A name in a directory that got or lost its file.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) directory: u64,
    pub(super) name: Arc<str>,
    /// A failed sync dropped it: no later one brings it.
    dropped: bool,
}

impl Place {
    pub(super) fn new(directory: u64, name: &str) -> Self {
        Self {
            directory,
            name: name.into(),
            dropped: false,
        }
    }

    fn is(&self, other: &Self) -> bool {
        (self.directory, &self.name) == (other.directory, &other.name)
    }
}

/// What happens to names at once. A create has no place that it comes from, an unlink none that it goes to. When one of the
/// two directories of a rename was synced, the half that is left is such a change too.
#[derive(Clone)]
pub(super) struct Change {
    /// The operation that did it.
    pub(super) at: u64,
    pub(super) inode: u64,
    pub(super) from: Option<Place>,
    pub(super) to: Option<Place>,
    /// What had the name, if it was replaced.
    pub(super) over: Option<u64>,
}

impl Change {
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.from.iter().chain(&self.to)
    }

    fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        self.from.iter_mut().chain(&mut self.to)
    }

    /// Whether both speak of one file, or of one name.
    fn touches(&self, other: &Self) -> bool {
        let is_in_other = |place: &Place| other.places().any(|there| there.is(place));
        self.inode == other.inode || self.places().any(is_in_other)
    }
}

impl World {
    /// Changes names as readers see them.
    pub(super) fn change(&mut self, change: Change) {
        self.take_up(&change);
        if let Some(over) = change.over {
            self.free(over);
        }
        if let Some(from) = &change.from
            && let Ok(names) = self.names_mut(from.directory)
        {
            Arc::make_mut(&mut names.now).remove(&from.name);
        }
        if let Some(to) = &change.to
            && let Ok(names) = self.names_mut(to.directory)
        {
            Arc::make_mut(&mut names.now).insert(Arc::clone(&to.name), change.inode);
        }
        let gone = match change.to {
            Some(_) => change.over,
            None => Some(change.inode),
        };
        if let Some(gone) = gone
            && let Ok(names) = self.names_mut(gone)
        {
            names.is_removed = true;
        }
        self.changes.push(change);
    }

    /// What is changed again is written again: changes that were dropped are to be synced once more, with all that they
    /// rest on.
    fn take_up(&mut self, change: &Change) {
        if !self.changes.iter().any(|c| c.places().any(|p| p.dropped)) {
            return;
        }
        let mut touched = vec![change.clone()];
        for earlier in self.changes.iter_mut().rev() {
            if touched.iter().any(|later| later.touches(earlier)) {
                for place in earlier.places_mut() {
                    place.dropped = false;
                }
                touched.push(earlier.clone());
            }
        }
    }

    /// Brings the names of a directory to the device.
    pub(super) fn sync_names(&mut self, directory: u64) {
        let Ok(names) = self.names(directory) else {
            return;
        };
        let (now, mut synced) = (Arc::clone(&names.now), Map::clone(&names.synced));
        let is_due = |place: &mut Place| place.directory == directory && !place.dropped;
        let mut is_whole = true;
        for change in &mut self.changes {
            if let Some(from) = change.from.take_if(is_due) {
                synced.remove(&from.name);
            }
            if let Some(to) = change.to.take_if(is_due) {
                synced.insert(to.name, change.inode);
            }
            is_whole &= change.places().all(|place| place.directory != directory);
        }
        self.changes
            .retain(|change| change.places().next().is_some());
        if let Ok(names) = self.names_mut(directory) {
            names.synced = if is_whole { now } else { Arc::new(synced) };
        }
        self.collect();
    }

    /// A sync of a directory failed: on a file system without a journal, what it was to bring is dropped.
    pub(super) fn drop_names(&mut self, directory: u64) {
        if !self.options.forgets_names {
            return;
        }
        let places = self.changes.iter_mut().flat_map(Change::places_mut);
        for place in places.filter(|place| place.directory == directory) {
            place.dropped = true;
        }
    }
}
