//! Viewing allocates nothing: not for a record, not for an entry of a sidecar.

mod counting;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ondisk::felix::{
    Ballot, CacheRecord, DurableMark, Epochs, Index, KeyIndex, Manifest, Producers, Registration,
    Replica, RunState, StorageId,
};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::segment::{self, Access, Met, Mode, Source};

use counting::allocations;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../golden/fixtures/felix")
        .join(name)
}

fn source(shard: &str, mode: Mode) -> Source<'static> {
    let directory = RealDirectory::open(fixture(shard)).expect("the shard opens");
    let file = directory
        .file("00000000000000000000.log")
        .expect("the segment opens");
    let len = file.stat().expect("it has a length").len;
    Source::new(
        file,
        len,
        Access {
            mode,
            ..Access::default()
        },
    )
    .expect("a source")
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(Box::new(7)))), 1);
}

#[test]
fn a_segment() {
    for shard in ["real/medium/shard", "clean/sidecars/shard"] {
        let mut mapped = source(shard, Mode::Mapped);
        let mut bytes = 0;
        let count = allocations(|| {
            let mut visit = |met: &Met<'_>| {
                bytes += met.record.payload().len();
                black_box((
                    met.record.tag().map(|tag| tag.len()),
                    met.record.kind(),
                    met.record.checksum(),
                ));
                ControlFlow::Continue(())
            };
            let scan = segment::full(&mut mapped, &mut visit)
                .expect("it can be read")
                .expect("a header");
            assert!(scan.failure.is_none() && scan.kinds.total() > 0);
        });
        assert_eq!(count, 0, "{shard}, mapped");
        assert!(bytes > 0);

        let mut windowed = source(shard, Mode::Windowed);
        let count = allocations(|| {
            let mut visit = |met: &Met<'_>| {
                black_box(met.record.payload());
                ControlFlow::Continue(())
            };
            segment::full(&mut windowed, &mut visit)
                .expect("it can be read")
                .expect("a header");
        });
        // The window, whatever the number of records.
        assert_eq!(count, 1, "{shard}, windowed");
    }
}

#[test]
fn every_sidecar() {
    let read = |name: &str| std::fs::read(fixture(name)).expect("the sidecar is in the repository");
    let shard = |file: &str| read(&format!("clean/sidecars/shard/{file}"));
    let root = |file: &str| read(&format!("clean/data-root/root/{file}"));

    let bytes = shard("00000000000000000000.index");
    let index = || {
        Index::view(&bytes)
            .expect("an index")
            .entries()
            .iter()
            .map(|entry| entry.offset() + entry.position())
    };
    assert_eq!(
        allocations(|| assert!(index().sum::<u64>() > 0)),
        0,
        "index"
    );

    let bytes = shard("durable.mark");
    let mark = || DurableMark::view(&bytes).expect("a mark").to_value();
    assert_eq!(
        allocations(|| assert!(mark().synced_bytes > 0)),
        0,
        "durable.mark"
    );

    let bytes = shard("epochs");
    let epochs = || {
        Epochs::view(&bytes)
            .expect("epochs")
            .entries()
            .iter()
            .map(|entry| entry.generation())
    };
    assert_eq!(
        allocations(|| assert!(epochs().sum::<u64>() > 0)),
        0,
        "epochs"
    );

    let bytes = shard("replica");
    let replica = || Replica::view(&bytes).expect("a replica").commit();
    assert_eq!(allocations(|| assert!(replica() > 0)), 0, "replica");

    let bytes = shard("ballot");
    let ballot = || Ballot::view(&bytes).expect("a ballot").leader().len();
    assert_eq!(allocations(|| assert!(ballot() > 0)), 0, "ballot");

    let bytes = shard("producers");
    let producers = || {
        let view = Producers::view(&bytes).expect("producers");
        let batches = view
            .producers()
            .iter()
            .flat_map(|producer| producer.batches().iter());
        batches
            .map(|batch| batch.first() + u64::from(batch.len()))
            .sum::<u64>()
    };
    assert_eq!(allocations(|| assert!(producers() > 0)), 0, "producers");

    let bytes = shard("offload.manifest");
    let manifest = || {
        Manifest::view(&bytes)
            .expect("a manifest")
            .entries()
            .iter()
            .map(|entry| entry.key().len())
    };
    assert_eq!(
        allocations(|| assert!(manifest().sum::<usize>() > 0)),
        0,
        "offload.manifest"
    );

    let bytes = read("clean/cache-keys/shard/keys.idx");
    let keys = || {
        KeyIndex::view(&bytes)
            .expect("a key index")
            .entries()
            .iter()
            .map(|entry| entry.key().len())
    };
    assert_eq!(
        allocations(|| assert!(keys().sum::<usize>() > 0)),
        0,
        "keys.idx"
    );

    let bytes = root("storage-id");
    assert_eq!(
        allocations(|| assert!(StorageId::view(&bytes).is_ok())),
        0,
        "storage-id"
    );
    let bytes = root("run-state");
    assert_eq!(
        allocations(|| assert!(RunState::view(&bytes).is_ok())),
        0,
        "run-state"
    );
    let bytes = root("registration");
    assert_eq!(
        allocations(|| assert!(Registration::view(&bytes).is_ok())),
        0,
        "registration"
    );
}

#[test]
fn cache_records() {
    let mut mapped = source("clean/cache-keys/shard", Mode::Mapped);
    let count = allocations(|| {
        let mut visit = |met: &Met<'_>| {
            let change = CacheRecord::view(met.record.payload()).expect("a cache record");
            black_box((change.key(), change.value(), change.entry_version()));
            ControlFlow::Continue(())
        };
        segment::full(&mut mapped, &mut visit)
            .expect("it can be read")
            .expect("a header");
    });
    assert_eq!(count, 0);
}
