//! A directory of the operating system.

use std::any::Any;
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::{RealFile, opening};
use crate::disk::{
    Directory, Entry, EntryKind, File, Irregular, Lock, Replace, Stat, single_component,
};

/// An open directory of the operating system.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
///
/// # let place = tempfile::tempdir()?;
/// let path = place.path().join("data/streams");
/// let directory = RealDirectory::create_all(&path)?;
/// assert!(directory.entries()?.is_empty());
/// assert_eq!(directory.path(), path);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RealDirectory {
    descriptor: OwnedFd,
    path: PathBuf,
}

impl RealDirectory {
    /// Opens the directory at `path`. Links on the way there, and the last one too, are the caller's own and followed;
    /// none below it is.
    ///
    /// # Errors
    /// One for which [`crate::disk::is_irregular`] holds when it is no directory, or whatever the file system reports.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Arc<dyn Directory>> {
        let path = path.into();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(&path, flags, Mode::empty())
            .map_err(|error| opening(error, EntryKind::Directory))?;
        Ok(Arc::new(Self { descriptor, path }))
    }

    /// Opens the directory at `path` and creates what is missing on the way there. The parent of each new component is
    /// synced, and of an existing directory too: whoever created it may not have come to that (Felix 1.5).
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and whatever the file system reports of the rest.
    pub fn create_all(path: impl Into<PathBuf>) -> io::Result<Arc<dyn Directory>> {
        let path = path.into();
        let absolute = std::path::absolute(&path)?;
        let mut missing = Vec::new();
        let mut existing = absolute.as_path();
        while matches!(rustix::fs::stat(existing), Err(Errno::NOENT)) {
            let parent = existing.parent().ok_or(io::ErrorKind::NotFound)?;
            missing.push(existing);
            existing = parent;
        }
        if let Some(parent) = existing.parent() {
            match Self::open(parent).and_then(|parent| parent.sync()) {
                // A parent that may not be read cannot be synced either, by anybody.
                Err(error) if error.kind() != io::ErrorKind::PermissionDenied => return Err(error),
                _ => {}
            }
        }
        for component in missing.into_iter().rev() {
            match rustix::fs::mkdir(component, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            if let Some(parent) = component.parent() {
                Self::open(parent)?.sync()?;
            }
        }
        Self::open(path)
    }

    /// The kind of `name`, for file systems that do not say it in the listing.
    fn kind_of(&self, name: &CStr) -> io::Result<EntryKind> {
        let stat = rustix::fs::statat(&self.descriptor, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(super::kind(&stat))
    }
}

impl Directory for RealDirectory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.descriptor)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match self.kind_of(name) {
                    Ok(kind) => kind,
                    // Gone since it was listed: as if it had never been seen.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                },
                known => super::kind_of_type(known),
            };
            entries.push(Entry {
                name: OsStr::from_bytes(name.to_bytes()).to_owned(),
                kind,
            });
        }
        Ok(entries)
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        single_component(name)?;
        let stat = rustix::fs::statat(&self.descriptor, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok((super::kind(&stat), super::stat(&stat)))
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        single_component(name)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor = rustix::fs::openat(&self.descriptor, name, flags, Mode::empty())
            .map_err(|error| opening(error, EntryKind::Directory))?;
        Ok(Arc::new(Self {
            descriptor,
            path: self.path.join(name),
        }))
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.open_file(name, OFlags::RDONLY)
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.open_file(name, OFlags::RDWR)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        single_component(name)?;
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        let descriptor = rustix::fs::openat(&self.descriptor, name, flags, mode)?;
        Ok(Arc::new(RealFile::new(descriptor)))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        single_component(name)?;
        rustix::fs::mkdirat(&self.descriptor, name, Mode::from_raw_mode(0o777))?;
        self.directory(name)
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        single_component(from)?;
        single_component(to)?;
        let into = into.as_any().downcast_ref::<Self>();
        let into = into.ok_or(io::ErrorKind::CrossesDevices)?;
        if replace == Replace::Yes {
            return Ok(rustix::fs::renameat(
                &self.descriptor,
                from,
                &into.descriptor,
                to,
            )?);
        }
        let flags = RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(&self.descriptor, from, &into.descriptor, to, flags) {
            // A file system without that: looked at first, which is as good for a directory that is locked.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                match into.stat(to) {
                    Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(
                        rustix::fs::renameat(&self.descriptor, from, &into.descriptor, to)?,
                    ),
                    Err(error) => Err(error),
                }
            }
            done => Ok(done?),
        }
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        single_component(name)?;
        Ok(rustix::fs::unlinkat(
            &self.descriptor,
            name,
            AtFlags::empty(),
        )?)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        single_component(name)?;
        Ok(rustix::fs::unlinkat(
            &self.descriptor,
            name,
            AtFlags::REMOVEDIR,
        )?)
    }

    fn sync(&self) -> io::Result<()> {
        super::sync(&self.descriptor)
    }

    fn lock(&self) -> io::Result<Lock> {
        super::lock::lock(&self.descriptor, &self.path)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl RealDirectory {
    fn open_file(&self, name: &str, access: OFlags) -> io::Result<Arc<dyn File>> {
        single_component(name)?;
        let irregular = || Irregular {
            wanted: EntryKind::File,
        };
        // Not opened if it can be helped: to open a FIFO lets its writer go on, to open a device may do anything.
        if self.stat(name)?.0 != EntryKind::File {
            return Err(irregular().into());
        }
        // Something else may have its name by now. O_NONBLOCK has no effect on a regular file, and keeps the open of a
        // FIFO from waiting for its writer.
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::openat(&self.descriptor, name, flags, Mode::empty())
            .map_err(|error| opening(error, EntryKind::File))?;
        if super::kind(&rustix::fs::fstat(&descriptor)?) != EntryKind::File {
            return Err(irregular().into());
        }
        Ok(Arc::new(RealFile::new(descriptor)))
    }
}
