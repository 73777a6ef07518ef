//! What stands at a path, found out without opening what could hang or lead elsewhere.

mod directory;
mod enclosing;
mod recognise;
mod which;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, File, is_irregular};

use crate::failure::Failure;
use crate::output::words;

pub(crate) use directory::{directory_kind, log_kind, own_name};
pub(crate) use enclosing::enclosing;
pub(crate) use recognise::{What, kind_of_name, magic_of, of_kind, recognise};
pub(crate) use which::Meant;

/// What stands at a path.
pub(crate) enum Place {
    /// A directory.
    Directory(Arc<dyn Directory>),
    /// A regular file.
    File(FoundFile),
    /// Something else, or a link to something else than a directory; it was not opened.
    Irregular(Irregular),
}

/// A regular file, open.
pub(crate) struct FoundFile {
    /// As it was given.
    pub(crate) path: PathBuf,
    /// Its name.
    pub(crate) name: String,
    /// Its length when it was opened, in bytes.
    pub(crate) len: u64,
    /// The file.
    pub(crate) file: Arc<dyn File>,
    /// The directory that it is in.
    pub(crate) directory: Arc<dyn Directory>,
}

/// What is no regular file.
pub(crate) struct Irregular {
    /// As it was given.
    pub(crate) path: PathBuf,
    /// Its name.
    pub(crate) name: OsString,
    /// What it is, in words.
    pub(crate) what: String,
}

/// Looks at `path`. A last link is followed to a directory, which is the caller's own business, and to nothing else.
pub(crate) fn find(path: &Path) -> Result<Place, Failure> {
    let system = |error: io::Error| Failure::system("look at", path, &error);
    let metadata = fs::symlink_metadata(path).map_err(system)?;
    if metadata.is_dir() || (metadata.is_symlink() && leads_to_a_directory(path)) {
        let directory =
            RealDirectory::open(path).map_err(|error| Failure::system("open", path, &error))?;
        return Ok(Place::Directory(directory));
    }
    // Only directories have no last component.
    let name = path.file_name().unwrap_or_default().to_owned();
    if !metadata.is_file() {
        let what = what(path, &metadata);
        return Ok(Place::Irregular(Irregular {
            path: path.to_owned(),
            name,
            what,
        }));
    }
    let Some(text) = name.to_str() else {
        return Err(Failure::look(
            format!("the name of {} is no text", words::path(path)),
            "no file of ours has such a name; copy it to another one, and name its kind with --as",
        ));
    };
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let directory =
        RealDirectory::open(parent).map_err(|error| Failure::system("open", parent, &error))?;
    let opened = directory
        .file(text)
        .and_then(|file| Ok((file.stat()?.len, file)));
    match opened {
        Ok((len, file)) => Ok(Place::File(FoundFile {
            path: path.to_owned(),
            name: text.to_owned(),
            len,
            file,
            directory,
        })),
        Err(error) if is_irregular(&error) => Ok(Place::Irregular(Irregular {
            path: path.to_owned(),
            name,
            what: "not a regular file".to_owned(),
        })),
        Err(error) => Err(Failure::system("open", path, &error)),
    }
}

/// The directory at `path`; anything else there is a mistake of whoever named it.
pub(crate) fn directory(path: &Path) -> Result<Arc<dyn Directory>, Failure> {
    let named = words::path(path);
    match find(path)? {
        Place::Directory(directory) => Ok(directory),
        Place::File(_) => Err(Failure::usage(
            format!("{named} is a file, not a directory"),
            format!("`ondisk inspect {named}` looks at a single file"),
        )),
        Place::Irregular(irregular) => Err(Failure::usage(
            format!("{named} is {}, not a directory", irregular.what),
            "name a shard directory or a data directory",
        )),
    }
}

fn leads_to_a_directory(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn what(path: &Path, metadata: &fs::Metadata) -> String {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    if kind.is_symlink() {
        return match fs::read_link(path) {
            Ok(target) => format!("a link to {}", words::path(&target)),
            Err(_) => "a link".to_owned(),
        };
    }
    let what = if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "not a regular file"
    };
    what.to_owned()
}
