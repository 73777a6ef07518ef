//! Whatever is written before a feature is finalized can be read by a build that does not know it (Felix 15).

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use ondisk::felix::name::{SegmentFile, ShardEntry, Sidecar};
use ondisk::felix::{
    Ballot, DurableMark, Epochs, Index, Producers, Record, RecordKind, Replica, SegmentHeader,
};
use ondisk::{FeatureLevels, WriteVersion};
use ondisk_engine::disk::{Directory, read_exact_at};
use proptest::prelude::*;

use crate::cases;
use crate::op::{self, Op};
use crate::run::Pair;

fn bytes_of(directory: &Arc<dyn Directory>, name: &str) -> Vec<u8> {
    let file = directory.file(name).expect("it is there");
    let len = file.stat().expect("memory").len;
    let mut bytes = vec![0; usize::try_from(len).expect("short")];
    read_exact_at(&*file, &mut bytes, 0).expect("memory");
    bytes
}

/// Every file of a shard has a version that a fleet at `levels` writes, and with it reads.
fn readable_at(directory: &Arc<dyn Directory>, levels: &FeatureLevels<'_>) {
    for entry in directory.entries().expect("memory") {
        let name = entry.name.to_str().expect("ascii");
        let bytes = bytes_of(directory, name);
        match ShardEntry::of(name) {
            ShardEntry::Segment(SegmentFile::Log { .. }) => segment_at(&bytes, levels),
            ShardEntry::Segment(SegmentFile::Index { .. }) => {
                let index = Index::view(&bytes).expect("it decodes");
                assert_eq!(index.version(), 3, "{name}");
            }
            ShardEntry::Sidecar(sidecar) => assert_eq!(version_of(sidecar, &bytes), 1, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

fn version_of(sidecar: Sidecar, bytes: &[u8]) -> u16 {
    let why = "it decodes";
    match sidecar {
        Sidecar::DurableMark => DurableMark::view(bytes).expect(why).version(),
        Sidecar::Epochs => Epochs::view(bytes).expect(why).version(),
        Sidecar::Replica => Replica::view(bytes).expect(why).version(),
        Sidecar::Ballot => Ballot::view(bytes).expect(why).version(),
        Sidecar::Producers => Producers::view(bytes).expect(why).version(),
        Sidecar::Manifest | Sidecar::KeyIndex => panic!("nobody wrote one"),
    }
}

fn segment_at(bytes: &[u8], levels: &FeatureLevels<'_>) {
    let (header, records) = bytes.split_at(SegmentHeader::MIN);
    let header = SegmentHeader::view(header).expect("it decodes");
    let version = u32::from(header.version());
    WriteVersion::<SegmentHeader>::at(version, levels).expect("a version of this level");
    let mut tail = header.base_offset();
    for record in ondisk::Stream::<Record<'_>>::new(records, version) {
        let record = record.expect("it decodes");
        assert_eq!(record.offset(), tail);
        tail = record.offset() + 1;
        if version < 4 {
            assert_ne!(record.kind(), RecordKind::GenerationStart);
        }
    }
}

fn at_level(config: op::ConfigOf, ops: &op::Ops, level: u16) -> Arc<dyn Directory> {
    let ops: Vec<_> = ops
        .0
        .iter()
        .map(|op| match op {
            Op::Reopen(clean, Some(config)) => {
                Op::Reopen(*clean, Some(op::ConfigOf { level, ..*config }))
            }
            other => other.clone(),
        })
        .collect();
    Pair::run(&ops, op::ConfigOf { level, ..config }.config())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() / 4, ..crate::proptest_config() })]

    #[test]
    fn before_it_is_finalized(config in op::config(), ops in op::ops()) {
        let directory = at_level(config, &ops, 0);
        readable_at(&directory, &FeatureLevels::NONE);
    }

    #[test]
    fn once_it_is_finalized(config in op::config(), ops in op::ops()) {
        let directory = at_level(config, &ops, 1);
        readable_at(&directory, &FeatureLevels::new(&[("generation_start", 1)]));
    }
}

/// The walk can fail: what is written at level 1 is not readable at level 0.
#[test]
fn the_walk_tells_the_levels_apart() {
    let start = Op::GenerationStart(1);
    let config = op::ConfigOf {
        level: 1,
        ..crate::named::SMALL
    };
    let directory = Pair::run(&[start], config.config());
    readable_at(&directory, &FeatureLevels::new(&[("generation_start", 1)]));
    let told = std::panic::catch_unwind(AssertUnwindSafe(|| {
        readable_at(&directory, &FeatureLevels::NONE);
    }));
    told.expect_err("a segment of version 4");
}
