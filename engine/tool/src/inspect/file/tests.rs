//! What is written of an instance is whole, however damaged the instance is.

use std::fs;
use std::path::Path;

use ondisk::felix::KINDS;
use ondisk::walk::walk;

use super::fields::Fields;
use super::tree::Tree;
use crate::output::json::Json;
use crate::output::{Out, Paint};

/// Sound files of every kind that has nested parts, counts or texts.
fn samples() -> Vec<(&'static ondisk::Kind, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/fixtures/felix/clean");
    let files = [
        "sidecars/shard/epochs",
        "sidecars/shard/ballot",
        "sidecars/shard/producers",
        "sidecars/shard/offload.manifest",
        "producers-version-2/shard/producers",
        "cache-keys/shard/keys.idx",
        "data-root/root/run-state",
    ];
    let sample = |file: &&str| {
        let name = Path::new(file).file_name().unwrap().to_str();
        let entry = KINDS.iter().find(|entry| entry.kind.file == name).unwrap();
        (entry.kind, fs::read(folder.join(file)).unwrap())
    };
    files.iter().map(sample).collect()
}

fn check(kind: &'static ondisk::Kind, bytes: &[u8]) {
    let mut document = Vec::new();
    let mut json = Json::new(&mut document);
    let mut tree = Tree::new(&mut json);
    let _stopped = walk(kind, bytes, 0, &mut tree);
    tree.finish().unwrap();
    let parsed = serde_json::from_slice::<serde_json::Value>(&document);
    let shown = String::from_utf8_lossy(&document);
    assert!(parsed.is_ok(), "{}: {parsed:?}\n{shown}", kind.name);
    for limit in [0, 1, u64::MAX] {
        let mut text = Vec::new();
        let mut out = Out::new(&mut text, Paint::default());
        let mut fields = Fields::new(&mut out, limit);
        let _stopped = walk(kind, bytes, 0, &mut fields);
        fields.finish().unwrap();
    }
}

#[test]
fn cut_anywhere() {
    for (kind, bytes) in samples() {
        for len in 0..=bytes.len() {
            check(kind, &bytes[..len]);
        }
    }
}

#[test]
fn wrong_anywhere() {
    for (kind, bytes) in samples() {
        for at in 0..bytes.len() {
            for wrong in [0x01, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] ^= wrong;
                check(kind, &bytes);
            }
        }
    }
}
