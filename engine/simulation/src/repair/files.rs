//! Files of a directory, byte by byte.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use ondisk_engine::disk::{self, Directory, EntryKind};

/// All that is in the files of a directory and of those in it, by path. Directories have nothing in them, and a slash.
pub(crate) fn contents(directory: &Arc<dyn Directory>) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in directory.entries()? {
        let name = entry.name.to_string_lossy().into_owned();
        if entry.kind == EntryKind::Directory {
            let inner = contents(&directory.directory(&name)?)?;
            found.extend(
                inner
                    .into_iter()
                    .map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
            );
            found.insert(format!("{name}/"), Vec::new());
        } else {
            found.insert(name.clone(), read(&**directory, &name)?);
        }
    }
    Ok(found)
}

/// All that is in a file.
pub(super) fn read(directory: &dyn Directory, name: &str) -> io::Result<Vec<u8>> {
    let file = directory.file(name)?;
    let len = usize::try_from(file.stat()?.len).map_err(io::Error::other)?;
    let mut bytes = vec![0; len];
    disk::read_exact_at(&*file, &mut bytes, 0)?;
    Ok(bytes)
}

/// Puts a file there, durably, in place of what has its name.
pub(super) fn put(directory: &dyn Directory, name: &str, bytes: &[u8]) -> io::Result<()> {
    // It may be free.
    let _unlinked = directory.unlink(name);
    let file = directory.create(name)?;
    disk::write_all_at(&*file, bytes, 0)?;
    file.sync_all()?;
    directory.sync()
}
