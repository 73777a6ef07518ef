//! On the real disk: threads, links that somebody planted, long lists.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use ondisk::felix::name::Store::{Caches, Groups};
use ondisk_engine::felix::log::Environment;
use ondisk_engine::felix::store::{Store, StoreConfig};

use crate::world::*;

fn threads() -> StoreConfig {
    StoreConfig {
        environment: Environment::default(),
        ..config()
    }
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_life() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("deep/data");
    let store = Store::open(&path, threads()).expect("it opens");
    let id = store.storage_id();
    for shard in 0..4 {
        let log = store.shard(&order(shard)).expect("it opens");
        append(&log, &shard.to_be_bytes());
    }
    store.shard_in(Groups, &order(0)).expect("it opens");
    store.shard_in(Caches, &order(0)).expect("it opens");
    store.shutdown().expect("a clean end");

    let store = Store::open(&path, threads()).expect("it opens");
    assert_eq!(store.storage_id(), id);
    assert_eq!(store.started().shards.len(), 6);
    for shard in 0..4_u32 {
        let log = store.shard(&order(shard)).expect("it opens");
        assert_eq!(payloads(&log), [shard.to_be_bytes()]);
    }
    assert_eq!(store.delete_stream(&orders(), 0).expect("a delete"), 5);
    let bin = path.join(".deleted");
    wait_until("the bin is emptied", || {
        fs::read_dir(&bin).expect("the bin").count() == 0
    });
    store.shutdown().expect("a clean end");
    let store = Store::open(&path, threads()).expect("it opens");
    assert_eq!(store.started().shards.len(), 1);
    assert!(is_not_found(store.shard(&order(0))));
}

#[test]
fn links_in_the_bin_are_not_followed() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("data");
    let precious = place.path().join("precious");
    fs::create_dir_all(&precious).expect("a directory");
    fs::write(precious.join("file"), b"mine").expect("a file");
    let name = order(0).directory_name(0);
    let bin = path.join(".deleted");
    let deleted = bin.join(format!("streams.{name}.0"));
    fs::create_dir_all(deleted.join("inner")).expect("a directory");
    symlink(&precious, deleted.join("link")).expect("a link");
    symlink(&precious, deleted.join("inner/link")).expect("a link");
    symlink(
        precious.join("file"),
        deleted.join("00000000000000000000.log"),
    )
    .expect("a link");
    fs::hard_link(precious.join("file"), deleted.join("hard")).expect("a link");
    // The whole directory a link.
    let whole = bin.join(format!("streams.{name}.1"));
    symlink(&precious, &whole).expect("a link");

    let config = config();
    let background = config.environment.background.clone();
    let store = Store::open(&path, config).expect("it opens");
    assert_eq!(store.started().in_bins, 1);
    assert_eq!(store.started().foreign.len(), 1);
    background.run_ready();
    assert!(!deleted.exists());
    assert!(whole.is_symlink());
    assert_eq!(
        fs::read(precious.join("file")).expect("it is there"),
        b"mine"
    );
    store.shutdown().expect("a clean end");
}

#[test]
fn what_is_too_deep_stays_and_the_rest_goes() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("data");
    let name = order(0).directory_name(0);
    let bin = path.join(".deleted");
    let deep = bin.join(format!("streams.{name}.0"));
    let mut inner = deep.clone();
    for _ in 0..100 {
        inner.push("d");
    }
    fs::create_dir_all(&inner).expect("directories");
    let next = bin.join(format!("streams.{name}.1"));
    fs::create_dir_all(&next).expect("a directory");
    let config = config();
    let background = config.environment.background.clone();
    let store = Store::open(&path, config).expect("it opens");
    background.run_ready();
    assert!(deep.exists());
    assert!(!next.exists());
    store.shutdown().expect("a clean end");
}

#[test]
fn a_link_in_the_place_of_a_shard_or_store_is_not_followed() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("data");
    let elsewhere = place.path().join("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a directory");
    fs::create_dir_all(&path).expect("a directory");
    symlink(&elsewhere, path.join(order(0).directory_name(0))).expect("a link");
    symlink(&elsewhere, path.join("caches")).expect("a link");
    let store = Store::open(&path, config()).expect("it opens");
    assert_eq!(store.started().foreign.len(), 2);
    assert!(store.shard(&order(0)).is_err());
    assert!(store.shard_in(Caches, &order(0)).is_err());
    store.shard(&order(1)).expect("another shard opens");
    store.shutdown().expect("a clean end");
    assert_eq!(fs::read_dir(&elsewhere).expect("a list").count(), 0);
}
