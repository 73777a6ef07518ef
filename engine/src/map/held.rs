//! Which files this process has mapped.
//!
//! A log knows what its own readers look at. Records that were kept from a log that is closed by now are known here only,
//! and whoever opens the directory again must not shorten the file under them either.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::File;

/// Mappings by the inode of their file. Two devices may have the same one, which costs a copy and nothing else.
static MAPPED: Mutex<BTreeMap<u64, usize>> = Mutex::new(BTreeMap::new());

/// Held by a mapping as long as it lasts.
#[derive(Debug)]
pub(super) struct Held {
    inode: u64,
}

impl Held {
    pub(super) fn of(file: &dyn File) -> io::Result<Self> {
        let inode = file.stat()?.inode;
        *mapped().entry(inode).or_default() += 1;
        Ok(Self { inode })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut mapped = mapped();
        if let Some(count) = mapped.get_mut(&self.inode) {
            *count -= 1;
            if *count == 0 {
                mapped.remove(&self.inode);
            }
        }
    }
}

/// Whether some mapping of the file may exist in this process. One that begins meanwhile is not seen.
///
/// # Errors
/// Whatever the file system reports.
pub(crate) fn is_mapped(file: &dyn File) -> io::Result<bool> {
    let inode = file.stat()?.inode;
    Ok(mapped().contains_key(&inode))
}

fn mapped() -> MutexGuard<'static, BTreeMap<u64, usize>> {
    MAPPED.lock().unwrap_or_else(PoisonError::into_inner)
}
