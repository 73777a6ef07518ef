//! The node id (Felix 11.9).

use ondisk_engine::disk::EntryKind;
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::error::StorageError;

use crate::world::*;

#[test]
fn it_is_made_when_it_is_asked_for() {
    let root = memory();
    let store = open(&root, config());
    assert_eq!(bytes(&*root, "node-id"), None);
    let id = store.node_id().expect("an id");
    let digits = id.strip_prefix("node-").expect("its beginning");
    assert_eq!(digits.len(), 32);
    assert!(
        digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    );
    assert_eq!(
        bytes(&*root, "node-id"),
        Some(format!("{id}\n").into_bytes())
    );
    assert_eq!(store.node_id().expect("the same"), id);
}

#[test]
fn one_that_is_there_is_read_with_its_line_feed_or_without() {
    for text in ["node-1", "node-1\n"] {
        let root = memory();
        root.put("node-id", MemoryFile::of(text.as_bytes()));
        let store = open(&root, config());
        assert_eq!(store.node_id().expect("it reads"), "node-1");
        assert_eq!(bytes(&*root, "node-id"), Some(text.as_bytes().to_vec()));
    }
}

#[test]
fn one_that_is_none_of_ours_is_an_error_and_stays() {
    let root = memory();
    root.put("node-id", MemoryFile::of(b"a/b"));
    let store = open(&root, config());
    assert!(matches!(
        store.node_id(),
        Err(StorageError::Sidecar {
            file: "node-id",
            ..
        })
    ));
    assert_eq!(bytes(&*root, "node-id"), Some(b"a/b".to_vec()));

    let root = memory();
    root.put_irregular("node-id", EntryKind::Link);
    let store = open(&root, config());
    assert!(matches!(store.node_id(), Err(StorageError::Io { .. })));
}
