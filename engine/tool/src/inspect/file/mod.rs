//! A single file.

mod cut;
mod fields;
mod index;
mod one;
mod read;
mod segment;
mod tree;

#[cfg(test)]
mod tests;

use ondisk::felix::SegmentHeader;
use ondisk_engine::disk::{self};

use crate::args::Inspect;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, words};
use crate::place::{self, FoundFile, What};
use crate::spec;

/// Shows a file of whatever kind.
pub(super) fn show(found: &FoundFile, args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let parent = place::own_name(found.directory.path());
    let what = match args.taken_as.as_deref() {
        Some(name) => {
            let kind = spec::named(name).ok_or_else(|| spec::unknown(name))?;
            place::of_kind(kind)
        }
        None => place::recognise(&found.name, parent.as_deref(), &first_bytes(found)?),
    };
    match what {
        Some(What::Segment) => segment::show(found, args, out),
        Some(What::Index) => index::show(found, args, out),
        Some(What::Cut { id, number }) => cut::show(found, id, number, args, out),
        Some(What::One(entry)) => one::show(found, entry, args, out),
        None => Err(unknown(found)?),
    }
}

fn first_bytes(found: &FoundFile) -> Result<Vec<u8>, Failure> {
    let most = SegmentHeader::MIN as u64;
    let mut bytes = vec![0; usize::try_from(found.len.min(most)).unwrap_or(0)];
    disk::read_exact_at(&*found.file, &mut bytes, 0)
        .map_err(|error| Failure::system("read", &found.path, &error))?;
    Ok(bytes)
}

/// What to say of a file that is none of ours.
fn unknown(found: &FoundFile) -> Result<Failure, Failure> {
    let bytes = first_bytes(found)?;
    let begins = if bytes.is_empty() {
        "it is empty".to_owned()
    } else {
        format!("it begins with {}", words::glimpse(&bytes))
    };
    Ok(Failure::look(
        format!(
            "{} is of no known kind: its name is none of ours, and {begins}",
            words::path(&found.path)
        ),
        "name its kind with --as KIND; `ondisk spec` lists the kinds",
    ))
}
