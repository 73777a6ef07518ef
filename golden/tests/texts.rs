//! The vectors of the text kinds, whose values no description knows.

use std::fs;
use std::path::Path;

use ondisk::FeatureLevels;
use ondisk::felix::{NodeId, StreamMarker};
use ondisk_golden::vectors::{Outcome, Vector, parse};

fn vectors(kind: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/felix.txt");
    let vectors = parse(&fs::read_to_string(path).unwrap()).unwrap();
    let mine: Vec<Vector> = vectors
        .into_iter()
        .filter(|vector| vector.parts[0].kind == kind && vector.is_ok())
        .collect();
    assert!(!mine.is_empty(), "{kind}");
    mine
}

/// The values that a vector says, as `row value` lines.
fn said(vector: &Vector) -> Vec<String> {
    let Outcome::Ok(values) = &vector.parts[0].outcome else {
        return Vec::new();
    };
    values
        .iter()
        .map(|(row, value)| format!("{row} {value}"))
        .collect()
}

#[test]
fn node_ids() {
    for vector in vectors("NodeId") {
        let view = NodeId::view(&vector.bytes).unwrap();
        assert_eq!(
            said(&vector),
            [format!("id {:?}", view.id())],
            "{}",
            vector.name
        );
    }
}

#[test]
fn stream_markers() {
    let number = |number: Option<u64>| match number {
        Some(0) => "0".to_owned(),
        Some(number) => format!("{number:#x}"),
        None => "none".to_owned(),
    };
    for vector in vectors("StreamMarker") {
        let marker = StreamMarker::view(&vector.bytes).unwrap().to_value();
        let read = [
            format!("incarnation {}", number(marker.incarnation)),
            format!("deleting {}", marker.deleting),
            format!("deleted_through {}", number(marker.deleted_through)),
        ];
        assert_eq!(said(&vector), read, "{}", vector.name);
        let mut written = Vec::new();
        marker
            .encode(
                StreamMarker::write_version(&FeatureLevels::NONE),
                &mut written,
            )
            .unwrap();
        assert_eq!(written, vector.bytes, "{}", vector.name);
    }
}
