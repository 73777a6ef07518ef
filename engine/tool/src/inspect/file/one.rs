//! A file that is one of a kind: a sidecar, a file of identity, a marker; or bytes that are taken for one.

use std::io::Write;

use ondisk::describe::{Class, Kind, Shape};
use ondisk::dump::Dump;
use ondisk::felix::{NodeId, Registration, StorageId, StreamMarker};
use ondisk::registry::Entry;
use ondisk::walk::{version_in, walk};
use ondisk::{Error, Fault};

use super::fields::Fields;
use super::read::{self, Bytes};
use super::tree::Tree;
use crate::args::Inspect;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::json::{Json, Layout, Null};
use crate::output::{Out, Tone, words};
use crate::place::{self, FoundFile};
use crate::spec;

/// What the file turns out to be.
enum State {
    Sound {
        used: usize,
    },
    /// What is wrong, in words, and the check that fails if it is one of the definition's.
    Damaged(String, Option<Error>),
    UnknownLayout(String),
}

impl State {
    const fn name(&self) -> &'static str {
        match self {
            Self::Sound { .. } => "sound",
            Self::Damaged(..) => "damaged",
            Self::UnknownLayout(_) => "unknown layout",
        }
    }

    const fn exit(&self) -> Exit {
        match self {
            Self::Damaged(..) => Exit::Damaged,
            Self::Sound { .. } | Self::UnknownLayout(_) => Exit::Sound,
        }
    }
}

/// Shows the file.
pub(super) fn show(
    found: &FoundFile,
    entry: &Entry,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let kind = entry.kind;
    let bytes = read::whole(found, kind)?;
    // What takes its version from elsewhere is taken for the newest.
    let version = version_in(kind, &bytes.bytes).unwrap_or(*kind.read_range().end());
    let state = judge(entry, &bytes, found.len, version);
    if args.json {
        document(
            found,
            kind,
            &bytes.bytes,
            version,
            &state,
            &mut Json::new(out),
        )?;
    } else {
        headline(found, kind, version, &state, &bytes, out)?;
        if args.hex {
            hex(kind, &bytes.bytes, version, &state, args.limit, out)?;
        } else {
            body(kind, &bytes.bytes, version, args.limit, out)?;
        }
    }
    Ok(state.exit())
}

fn judge(entry: &Entry, bytes: &Bytes, len: u64, version: u32) -> State {
    if let Some(most) = bytes.longer_than {
        let text = format!("it has {len} bytes, and none of its kind has more than {most}");
        return if own_layout(entry.kind) {
            State::UnknownLayout(text)
        } else {
            State::Damaged(text, None)
        };
    }
    match entry.open(&bytes.bytes, version) {
        Ok(used) => State::Sound { used },
        Err(error) if own_layout(entry.kind) && is_shape(&error, &bytes.bytes) => {
            State::UnknownLayout(error.to_string())
        }
        Err(error) => State::Damaged(error.to_string(), Some(error)),
    }
}

/// Kinds whose byte layout is this project's own, so that another build may have another (Felix 11.8).
fn own_layout(kind: &Kind) -> bool {
    [
        StorageId::KIND,
        Registration::KIND,
        NodeId::KIND,
        StreamMarker::KIND,
    ]
    .contains(&kind)
}

/// Whether a file of such a kind has another shape: length, magic, first word.
fn is_shape(error: &Error, bytes: &[u8]) -> bool {
    let kind = error.kind();
    match (&kind.shape, error.fault()) {
        (Shape::Text { .. }, _) if kind == NodeId::KIND => true,
        (_, Fault::TooLarge { .. } | Fault::Length { .. }) => true,
        (Shape::Text { lines, .. }, _) => {
            let word = lines.first().and_then(|line| line.split(' ').next());
            let rest = word.and_then(|word| bytes.strip_prefix(word.as_bytes()));
            !rest.is_some_and(|rest| rest.starts_with(b" "))
        }
        (_, fault) => matches!(fault, Fault::Short { .. } | Fault::Magic { .. }),
    }
}

fn headline(
    found: &FoundFile,
    kind: &'static Kind,
    version: u32,
    state: &State,
    bytes: &Bytes,
    out: &mut Out<'_>,
) -> Result<(), Failure> {
    out.fact("file", words::path(&found.path))?;
    let mut what = kind.name.to_owned();
    if kind.read_range().contains(&version)
        && kind.versions.is_some()
        && matches!(kind.shape, Shape::Rows(_))
    {
        what.push_str(&format!(", version {version}"));
    }
    if let Some(class) = spec::class(kind) {
        what.push_str(&format!(", {class}"));
    }
    out.fact("kind", what)?;
    out.fact("size", words::bytes(found.len))?;
    match state {
        State::Sound { used } => {
            let sound = out.paint.tone(Tone::Good, "SOUND").to_string();
            let behind = found.len.saturating_sub(*used as u64);
            let ignored = if behind > 0 {
                format!("  {} behind it", words::count(behind, "byte", "bytes"))
            } else {
                String::new()
            };
            out.fact("state", format!("{sound}{ignored}"))?;
        }
        State::Damaged(why, _) => {
            let damaged = out.paint.tone(Tone::Bad, "DAMAGED").to_string();
            out.fact("state", format!("{damaged}  {}", words::harmless(why)))?;
            out.paragraph(13, consequence(kind))?;
            let ours = place::magic_of(&bytes.bytes).filter(|other| *other != kind);
            if let Some(other) = ours {
                out.paragraph(
                    13,
                    &format!(
                        "It begins like {}: --as {} looks at it as one.",
                        other.name, other.name
                    ),
                )?;
            }
        }
        State::UnknownLayout(why) => {
            let state = out.paint.tone(Tone::Notice, "UNKNOWN LAYOUT").to_string();
            out.fact("state", format!("{state}  {}", words::harmless(why)))?;
            out.paragraph(13, "The layout of this file is this project's own, so another build may have another. That is no damage; the file is never rewritten, and its directory opens read-only unless it is adopted.")?;
        }
    }
    Ok(writeln!(out)?)
}

/// What the damage of a file means to an open.
fn consequence(kind: &Kind) -> &'static str {
    match kind.class {
        Some(Class::Authoritative) => {
            "Nothing else can rebuild it, so what it belongs to does not open. Take it from a replica or a backup."
        }
        Some(Class::Derived) => "It is derived: an open goes on as if it were not there.",
        None => "",
    }
}

fn body(
    kind: &'static Kind,
    bytes: &[u8],
    version: u32,
    limit: Option<u64>,
    out: &mut Out<'_>,
) -> Result<(), Failure> {
    if matches!(kind.shape, Shape::Text { .. }) {
        for line in bytes.split_inclusive(|&byte| byte == b'\n').take(16) {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            writeln!(out, "  {}", words::quoted(line))?;
        }
        return Ok(());
    }
    let mut fields = Fields::new(out, limit.unwrap_or(u64::MAX));
    // Where the walk stops, the state above says why.
    let _stopped = walk(kind, bytes, version, &mut fields);
    Ok(fields.finish()?)
}

/// Entries of a list in a dump: all of it is held until its checksums are known.
const MOST_DUMPED: u64 = 16 * 1024;

fn hex(
    kind: &'static Kind,
    bytes: &[u8],
    version: u32,
    state: &State,
    limit: Option<u64>,
    out: &mut Out<'_>,
) -> Result<(), Failure> {
    let most = limit.unwrap_or(MOST_DUMPED).min(MOST_DUMPED);
    let shown = match state {
        State::Sound { used } => bytes.get(..*used).unwrap_or(bytes),
        _ => bytes,
    };
    let mut dump =
        Dump::new(kind, shown, version).most_entries(usize::try_from(most).unwrap_or(usize::MAX));
    if let State::Damaged(_, Some(error)) = state {
        dump = dump.with_error(*error);
    }
    Ok(write!(out, "{dump}")?)
}

fn document(
    found: &FoundFile,
    kind: &'static Kind,
    bytes: &[u8],
    version: u32,
    state: &State,
    json: &mut Json<'_>,
) -> Result<(), Failure> {
    json.object(Layout::Lines)?;
    json.field("path", words::json_name(found.path.as_os_str()))?;
    json.field("kind", kind.name)?;
    json.field("class", spec::class(kind))?;
    json.field("bytes", found.len)?;
    json.field("state", state.name())?;
    json.key("error")?;
    match state {
        State::Sound { .. } => json.value(Null)?,
        State::Damaged(message, error) => {
            json.object(Layout::Line)?;
            if let Some(error) = error {
                json.field("row", error.row())?;
                json.field("position", error.at())?;
            }
            json.field("message", message)?;
            json.end()?;
        }
        State::UnknownLayout(message) => {
            json.object(Layout::Line)?;
            json.field("message", message)?;
            json.end()?;
        }
    }
    json.key("value")?;
    if matches!(kind.shape, Shape::Text { .. }) {
        match std::str::from_utf8(bytes) {
            Ok(text) => json.value(text)?,
            Err(_) => json.value(Null)?,
        }
    } else {
        let mut tree = Tree::new(json);
        // Where the walk stops, the error above says why.
        let _stopped = walk(kind, bytes, version, &mut tree);
        tree.finish()?;
    }
    json.end()?;
    Ok(json.finish()?)
}
