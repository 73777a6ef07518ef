//! `ondisk inspect`: shows any file or directory.

mod file;
mod payload;
mod root;
mod shard;

use ondisk_engine::disk::Directory;
use std::io::Write;
use std::sync::Arc;

use crate::args::{DirectoryKind, Inspect};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::json::{Json, Layout};
use crate::output::{Out, Tone, words};
use crate::place::{self, Irregular, Place};

/// Shows what is at the path.
pub(crate) fn run(args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    match place::find(&args.path)? {
        Place::Directory(directory) => self::directory(&directory, args, out),
        Place::File(found) => file::show(&found, args, out),
        Place::Irregular(irregular) => not_opened(&irregular, args, out),
    }
}

fn directory(
    directory: &Arc<dyn Directory>,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let kind = match args.taken_as.as_deref() {
        Some("shard") => DirectoryKind::Shard,
        Some("root") => DirectoryKind::Root,
        Some(other) => {
            return Err(Failure::usage(
                format!("a directory is no {}", words::name(other.as_ref())),
                "use --as shard or --as root",
            ));
        }
        None => place::directory_kind(directory)?,
    };
    match kind {
        DirectoryKind::Shard => shard::show(directory, args, out),
        DirectoryKind::Root => root::show(Arc::clone(directory), args, out),
    }
}

/// What is no regular file is not opened: under a name of ours that is damage, under another nothing is known of it.
fn not_opened(irregular: &Irregular, args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let path = words::path(&irregular.path);
    let known = irregular.name.to_str().and_then(place::kind_of_name);
    let Some(kind) = known else {
        return Err(Failure::look(
            format!("{path} is {}, and was not opened", irregular.what),
            "name the file itself; only regular files and directories are looked at",
        ));
    };
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        json.field("path", words::json_name(irregular.path.as_os_str()))?;
        json.field("kind", kind.name)?;
        json.field("state", "unreadable")?;
        json.field("why", &irregular.what)?;
        json.end()?;
        json.finish()?;
        return Ok(Exit::Damaged);
    }
    out.fact("file", path)?;
    out.fact("kind", kind.name)?;
    let state = out.paint.tone(Tone::Bad, "NOT OPENED").to_string();
    out.fact(
        "state",
        format!("{state}  it is {}, not a regular file", irregular.what),
    )?;
    writeln!(out)?;
    out.paragraph(2, "An engine does not open it either: it counts as absent where it can be done without, and refuses the open where not.")?;
    Ok(Exit::Damaged)
}
