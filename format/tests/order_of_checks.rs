//! The checks of every Felix kind, in words, in the order of the specification.
#![cfg(feature = "felix")]

use ondisk::Kind;
use ondisk::describe::Check;
use ondisk::felix::*;

/// The steps of a reader, but for those that only say that a row is there in full.
fn steps(kind: &Kind) -> Vec<String> {
    let mut out = Vec::new();
    for step in kind.steps {
        let row = kind.rows().get(usize::from(step.row));
        let row = row.map_or("", |row| row.name);
        out.push(match step.check {
            Check::Short => format!("{} bytes", kind.min),
            Check::Length => "exact length".into(),
            Check::Magic | Check::Version | Check::MustBe | Check::Known => row.into(),
            Check::Checksum(_) => format!("{row} matches"),
            Check::Limit => format!("{row} within limits"),
            Check::Count => format!("{row} entries can be there"),
            Check::Fits => format!("{row} fits"),
            Check::Utf8 => format!("{row} is UTF-8"),
            Check::Entries => format!("each of {row}"),
            Check::UsedUp => format!("{row} is used up"),
            Check::Trailing => "nothing left over".into(),
            Check::Rule(rule) => rule.into(),
        });
    }
    out
}

#[track_caller]
fn assert_order(kind: &Kind, order: &[&str]) {
    assert_eq!(steps(kind), order, "{}", kind.name);
}

#[test]
fn segment_header() {
    // Felix 3.
    assert_order(
        SegmentHeader::KIND,
        &[
            "32 bytes",
            "magic",
            "version",
            "flags",
            "header_crc matches",
            "base offset leaves room for a tail",
        ],
    );
}

#[test]
fn record() {
    // Felix 4.3, checks 1 to 10. A walk makes 1 to 7. The kind of the tag has no checks of its own.
    assert_order(
        Record::KIND,
        &[
            "28 bytes",
            "header_crc matches",
            "kind",
            "payload_len within limits",
            "generation start is 8 bytes",
            "tag fits",
            "payload fits",
            "checksum matches",
            "tag",
            "batch fits the log",
            "offset leaves room for a tail",
        ],
    );
}

#[test]
fn index() {
    // Felix 5: whole entries, a torn last one is dropped.
    assert_order(
        Index::KIND,
        &[
            "24 bytes",
            "magic",
            "version",
            "flags",
            "entries fits",
            "each of entries",
        ],
    );
}

#[test]
fn durable_mark() {
    // Felix 6.
    assert_order(
        DurableMark::KIND,
        &["32 bytes", "magic", "version", "crc matches"],
    );
}

#[test]
fn epochs() {
    // Felix 11.2.
    assert_order(
        Epochs::KIND,
        &[
            "12 bytes",
            "magic",
            "version",
            "count entries can be there",
            "entries fits",
            "body_crc matches",
            "each of entries",
            "generations ascend",
        ],
    );
}

#[test]
fn fixed_sidecars() {
    // Felix 11.3 and 11.8: the exact length comes first.
    for (kind, bytes) in [
        (Replica::KIND, 28),
        (StorageId::KIND, 28),
        (Registration::KIND, 20),
    ] {
        let bytes = format!("{bytes} bytes");
        assert_order(
            kind,
            &[&bytes, "exact length", "magic", "version", "crc matches"],
        );
    }
    assert_order(
        RunState::KIND,
        &[
            "28 bytes",
            "exact length",
            "magic",
            "version",
            "crc matches",
            "state",
            "flags within limits",
        ],
    );
}

#[test]
fn ballot() {
    // Felix 11.4.
    assert_order(
        Ballot::KIND,
        &[
            "20 bytes",
            "magic",
            "version",
            "leader_len within limits",
            "leader fits",
            "exact length",
            "crc matches",
            "leader is UTF-8",
        ],
    );
}

#[test]
fn producers() {
    // Felix 11.5.
    assert_order(
        Producers::KIND,
        &[
            "25 bytes",
            "magic",
            "version",
            "body_crc matches",
            "open fits",
            "producer_count entries can be there",
            "open",
            "producers fits",
            "each of producers",
            "nothing left over",
            "batches end by as of",
        ],
    );
}

#[test]
fn manifest() {
    // Felix 11.6: the checksum of the whole file comes first.
    assert_order(
        Manifest::KIND,
        &[
            "16 bytes",
            "crc matches",
            "magic",
            "version",
            "count entries can be there",
            "entries fits",
            "each of entries",
            "nothing left over",
            "entries do not overlap",
        ],
    );
    assert_order(
        ManifestEntry::KIND,
        &[
            "54 bytes",
            "key fits",
            "key is UTF-8",
            "last is not below base",
        ],
    );
}

#[test]
fn key_index() {
    // Felix 11.7: the count before the store, the checksum last.
    assert_order(
        KeyIndex::KIND,
        &[
            "39 bytes",
            "magic",
            "version",
            "entry_count entries can be there",
            "store",
            "entries fits",
            "each of entries",
            "nothing left over",
            "crc matches",
        ],
    );
    assert_order(
        KeyEntry::KIND,
        &[
            "37 bytes",
            "kind",
            "key_len fits",
            "key fits",
            "key_len is used up",
            "offset fits",
            "key is UTF-8",
        ],
    );
}

#[test]
fn cache_and_counter_records() {
    // Felix 13.1 and 13.2: the operation comes last.
    assert_order(
        CacheRecord::KIND,
        &[
            "14 bytes",
            "version",
            "entry_version fits",
            "key fits",
            "value fits",
            "key is UTF-8",
            "op",
        ],
    );
    assert_order(
        CounterRecord::KIND,
        &[
            "14 bytes",
            "version",
            "key fits",
            "exact length",
            "key is UTF-8",
            "op",
        ],
    );
}

/// What the kinds of the specification are: a new one comes with its order.
#[test]
fn every_kind_of_rows_is_here() {
    let here = include_str!("order_of_checks.rs");
    for entry in KINDS.iter().filter(|entry| !entry.kind.rows().is_empty()) {
        let name = format!("{}::KIND", entry.kind.name);
        let simple = entry.kind.steps.iter().all(|step| {
            matches!(
                step.check,
                Check::Short | Check::Fits | Check::Limit | Check::Count | Check::Entries
            )
        });
        assert!(simple || here.contains(&name), "{name}");
    }
}
