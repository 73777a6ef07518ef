//! Of what kind a file is: by its name, else by its first bytes.

use ondisk::Kind;
use ondisk::describe::Role;
use ondisk::felix::name::{IdentityFile, MarkerEntry, MarkerName, SegmentFile, Sidecar};
use ondisk::felix::{Index, KINDS, SegmentHeader, StreamMarker};
use ondisk::registry::Entry;

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A segment: a header and records.
    Segment,
    /// What a repair took out of the segment of that id, from that byte on; 0 for all of it.
    Cut { id: u64, number: u64 },
    /// The index of a segment.
    Index,
    /// One of a kind.
    One(&'static Entry),
}

/// What a file in a directory named `parent` is, by its name alone.
pub(crate) fn by_name(name: &str, parent: Option<&str>) -> Option<What> {
    match SegmentFile::parse(name) {
        Some(SegmentFile::Log { .. } | SegmentFile::Temporary { .. }) => {
            return Some(What::Segment);
        }
        Some(SegmentFile::Index { .. }) => return Some(What::Index),
        Some(SegmentFile::Cut { id, number }) => return Some(What::Cut { id, number }),
        None => {}
    }
    if parent == Some(".streams") && !matches!(MarkerEntry::of(name), MarkerEntry::Foreign) {
        return entry_of(StreamMarker::KIND).map(What::One);
    }
    let file = sidecar(name).or_else(|| identity(name))?;
    KINDS
        .iter()
        .find(|entry| entry.kind.file == Some(file))
        .map(What::One)
}

fn sidecar(name: &str) -> Option<&'static str> {
    let sidecar = Sidecar::parse(name).or_else(|| Sidecar::parse_temporary(name))?;
    Some(sidecar.file_name())
}

fn identity(name: &str) -> Option<&'static str> {
    let file = IdentityFile::parse(name).or_else(|| IdentityFile::parse_temporary(name))?;
    Some(file.file_name())
}

/// The kind whose magic `bytes` begin with.
pub(crate) fn magic_of(bytes: &[u8]) -> Option<&'static Kind> {
    let begins = |kind: &&'static Kind| {
        kind.rows().first().is_some_and(|row| match row.role {
            Role::Magic(magic) => bytes.starts_with(magic),
            _ => false,
        })
    };
    KINDS.iter().map(|entry| entry.kind).find(begins)
}

/// What a file is: by its name, else by its first bytes.
pub(crate) fn recognise(name: &str, parent: Option<&str>, bytes: &[u8]) -> Option<What> {
    by_name(name, parent)
        .or_else(|| magic_of(bytes).map(of_kind)?)
        .or_else(|| {
            // A text has no magic, but the first word of a marker is as good as one.
            let marker =
                MarkerName::parse(name).is_some() && bytes.starts_with(b"felix-stream-marker");
            if marker {
                entry_of(StreamMarker::KIND).map(What::One)
            } else {
                None
            }
        })
}

/// A file of that kind.
pub(crate) fn of_kind(kind: &'static Kind) -> Option<What> {
    if kind == SegmentHeader::KIND {
        Some(What::Segment)
    } else if kind == Index::KIND {
        Some(What::Index)
    } else {
        entry_of(kind).map(What::One)
    }
}

/// What the type of a kind can do.
pub(crate) fn entry_of(kind: &Kind) -> Option<&'static Entry> {
    KINDS.iter().find(|entry| entry.kind == kind)
}

/// The kind of a file of that name.
pub(crate) fn kind_of_name(name: &str) -> Option<&'static Kind> {
    match by_name(name, None)? {
        What::Segment => Some(SegmentHeader::KIND),
        What::Index => Some(Index::KIND),
        What::Cut { .. } => None,
        What::One(entry) => Some(entry.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::{What, kind_of_name, magic_of, recognise};

    #[test]
    fn every_known_name() {
        for (name, kind) in [
            ("00000000000000000000.log", "SegmentHeader"),
            ("00000000000000000000.log.tmp", "SegmentHeader"),
            ("00000000000000000000.index", "Index"),
            ("durable.mark", "DurableMark"),
            ("epochs", "Epochs"),
            ("epochs.tmp", "Epochs"),
            ("replica", "Replica"),
            ("ballot", "Ballot"),
            ("producers", "Producers"),
            ("offload.manifest", "Manifest"),
            ("offload.tmp", "Manifest"),
            ("keys.idx", "KeyIndex"),
            ("storage-id", "StorageId"),
            ("run-state", "RunState"),
            ("registration", "Registration"),
            ("node-id", "NodeId"),
        ] {
            assert_eq!(
                kind_of_name(name).map(|kind| kind.name),
                Some(kind),
                "{name}"
            );
        }
        assert!(kind_of_name("notes.txt").is_none());
    }

    #[test]
    fn by_first_bytes() {
        assert_eq!(magic_of(b"FLBL....").map(|kind| kind.name), Some("Ballot"));
        assert!(magic_of(b"FLX1").is_none() && magic_of(b"FL").is_none());
        assert!(matches!(
            recognise("copy", None, b"FLSG"),
            Some(What::Segment)
        ));
        let marker = recognise("a_b-fcb9248e5af0da18", Some(".streams"), b"");
        assert!(matches!(marker, Some(What::One(entry)) if entry.kind.name == "StreamMarker"));
    }
}
