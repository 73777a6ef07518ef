//! `ondisk copy`: a shard or a data directory, copied and checked.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::copy::{CopiedShard, CopySettings, Extent, copy_root, copy_shard};
use ondisk_engine::felix::segment::Access;

use crate::args::{Copy, DirectoryKind, Planning, Said, Verify};
use crate::document;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look;
use crate::output::progress::Progress;
use crate::output::{Out, words};
use crate::place;
use crate::verify;

/// Copies one directory.
pub(crate) fn run(args: &Copy, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let source = place::directory(&args.source)?;
    let kind = match args.taken_as {
        Some(kind) => kind,
        None => place::directory_kind(&source)?,
    };
    let target = target(args)?;
    copy(args, kind, &source, &target, out)?;
    writeln!(out)?;
    // All of it once more, as anybody would look at it.
    let verify = Verify {
        directory: args.target.clone(),
        json: false,
        planning: Planning::default(),
        taken_as: Some(kind),
        said: Said {
            kind: None,
            open_at: 0,
            index_spacing: CopySettings::default().index_spacing_bytes,
        },
        work: args.work,
    };
    verify::run(&verify, out)
}

fn copy(
    args: &Copy,
    kind: DirectoryKind,
    source: &Arc<dyn Directory>,
    target: &Arc<dyn Directory>,
    out: &mut Out<'_>,
) -> Result<(), Failure> {
    // As bytes are checked that are there; how many there will be is not known ahead.
    let progress = Progress::new(0);
    let read = |bytes| {
        progress.more(bytes);
        progress.done(bytes);
    };
    let settings = CopySettings {
        extent: if args.unflushed {
            Extent::Tail
        } else {
            Extent::Durable
        },
        access: Access {
            progress: Some(&read),
            ..look::quick()
        },
        ..CopySettings::default()
    };
    out.fact("copied", words::path(source.path()))?;
    out.fact("to", words::path(target.path()))?;
    if kind == DirectoryKind::Shard {
        let copied = copy_shard(source, target, &settings)?;
        progress.clear();
        return Ok(out.fact("", told(&copied))?);
    }
    let mut failed = Ok(());
    let copied = copy_root(source, target, &settings, &mut |copied| {
        let told = format!("{}  {}", words::path(Path::new(&copied.path)), told(copied));
        let shown = progress.aside(|| out.fact("", told).and_then(|()| out.flush()));
        failed = std::mem::replace(&mut failed, Ok(())).and(shown);
    })?;
    progress.clear();
    failed?;
    let id = document::hex(&copied.storage_id);
    out.fact("storage-id", format!("{id}  (new)"))?;
    Ok(())
}

/// A shard in a line.
fn told(copied: &CopiedShard) -> String {
    let segments = words::count(copied.segments, "segment", "segments");
    let bytes = words::bytes(copied.bytes);
    let mut told = format!(
        "offsets {}..{}, {segments}, {bytes}",
        copied.base, copied.tail
    );
    if copied.shared > 0 {
        told += &format!(", {} sharing blocks with the original", copied.shared);
    }
    if copied.left > 0 {
        let left = words::count(copied.left, "record", "records");
        told += &format!("; {left} not known to be flushed left out");
    }
    told
}

/// The directory of the copy, made if it is missing.
fn target(args: &Copy) -> Result<Arc<dyn Directory>, Failure> {
    let path = &args.target;
    let system = |error: io::Error| Failure::system("look at", path, &error);
    let inside = real(path).map_err(system)?;
    let source = fs::canonicalize(&args.source).map_err(system)?;
    if inside.starts_with(&source) {
        return Err(Failure::usage(
            format!(
                "{} lies in {} itself",
                words::path(path),
                words::path(&args.source)
            ),
            "copy it to a place outside",
        ));
    }
    if path.exists() {
        let directory = place::directory(path)?;
        let entries = directory.entries().map_err(system)?;
        if !entries.is_empty() {
            return Err(Failure::usage(
                format!("{} is not empty", words::path(path)),
                "name a directory that is not there yet; nothing is ever overwritten by a copy",
            ));
        }
        return Ok(directory);
    }
    RealDirectory::create_all(path).map_err(|error| Failure::system("create", path, &error))
}

/// A path without links, as far as it is there.
fn real(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let there = absolute.ancestors().find(|part| part.exists());
    let there = there.unwrap_or_else(|| Path::new("/"));
    let rest = absolute.strip_prefix(there).unwrap_or(Path::new(""));
    Ok(fs::canonicalize(there)?.join(rest))
}
