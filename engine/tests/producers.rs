//! Producer state: limits, gaps, pruning, classification (Felix 12).

use ondisk::FeatureLevels;
use ondisk::felix::{Batch as StoredBatch, OpenBatch as StoredOpen, Producer, Producers};
use ondisk::felix::{ProducerTag, Record, RecordKind, SegmentHeader};
use ondisk_engine::felix::producer::{
    Answer, Batch, PRODUCERS_PER_SHARD, ProducerState, WINDOW_BATCHES,
};

/// Feeds one record.
fn feed(state: &mut ProducerState, offset: u64, kind: RecordKind, tag: Option<ProducerTag>) {
    let payload = [0; 8];
    let record = Record {
        kind,
        offset,
        timestamp_micros: 0,
        tag,
        payload: &payload,
    };
    let levels = FeatureLevels::new(&[("generation_start", 1)]);
    let version = SegmentHeader::write_at(4, &levels).expect("a version");
    let mut bytes = Vec::new();
    record.encode(version, &mut bytes).expect("a record");
    let (view, _) = Record::view_prefix(&bytes, 4).expect("the same record");
    state.feed(view);
}

fn opens(state: &mut ProducerState, offset: u64, producer_id: u64, sequence: u64, len: u32) {
    let tag = Some(ProducerTag {
        producer_id,
        sequence,
        len,
    });
    feed(state, offset, RecordKind::Opens, tag);
}

fn continues(state: &mut ProducerState, offset: u64) {
    feed(state, offset, RecordKind::Continues, None);
}

fn window(state: &ProducerState, producer: u64) -> Vec<(u64, u32)> {
    let known = state.known(producer);
    known.map_or_else(Vec::new, |known| {
        known
            .window()
            .map(|batch| (batch.first, batch.len))
            .collect()
    })
}

#[test]
fn what_ends_a_batch() {
    for (name, then, expected) in [
        (
            "nothing",
            None,
            Answer::Partial {
                first: 10,
                held: 1,
                len: 2,
            },
        ),
        (
            "the record that continues it",
            Some((11, RecordKind::Continues)),
            Answer::Held {
                first: 10,
                last: 11,
            },
        ),
        (
            "one that continues elsewhere",
            Some((12, RecordKind::Continues)),
            Answer::Unknown,
        ),
        (
            "an ordinary record",
            Some((11, RecordKind::Ordinary)),
            Answer::Unknown,
        ),
        (
            "a generation start",
            Some((11, RecordKind::GenerationStart)),
            Answer::Unknown,
        ),
    ] {
        let mut state = ProducerState::default();
        opens(&mut state, 10, 1, 0, 2);
        if let Some((offset, kind)) = then {
            feed(&mut state, offset, kind, None);
        }
        assert_eq!(state.classify(1, 0), expected, "{name}");
    }
    let mut state = ProducerState::default();
    opens(&mut state, 10, 1, 0, 2);
    opens(&mut state, 11, 2, 0, 3);
    assert_eq!(state.classify(1, 0), Answer::Unknown, "another batch");
    assert_eq!(
        state.classify(2, 0),
        Answer::Partial {
            first: 11,
            held: 1,
            len: 3
        }
    );
}

#[test]
fn a_gap_begins_history_anew() {
    let mut state = ProducerState::default();
    for (offset, sequence) in [(0, 5), (1, 6), (2, 7)] {
        opens(&mut state, offset, 1, sequence, 1);
    }
    assert_eq!(window(&state, 1), [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(state.classify(1, 5), Answer::Held { first: 0, last: 0 });
    opens(&mut state, 3, 1, 9, 1);
    assert_eq!(window(&state, 1), [(3, 1)]);
    assert_eq!(state.classify(1, 7), Answer::Expired);
    // It may fall.
    opens(&mut state, 4, 1, 2, 1);
    assert_eq!(state.classify(1, 3), Answer::Next);
    assert_eq!(state.classify(1, 9), Answer::Gap { expected: 3 });
    // At the highest sequence nothing comes next.
    opens(&mut state, 5, 1, u64::MAX, 1);
    assert_eq!(
        state.classify(1, u64::MAX),
        Answer::Held { first: 5, last: 5 }
    );
    assert_eq!(state.classify(1, 0), Answer::Expired);
}

#[test]
fn the_window_has_its_limit() {
    let mut state = ProducerState::default();
    for sequence in 0..=WINDOW_BATCHES as u64 {
        opens(&mut state, sequence * 2, 1, sequence, 2);
        continues(&mut state, sequence * 2 + 1);
    }
    assert_eq!(window(&state, 1).len(), WINDOW_BATCHES);
    assert_eq!(state.classify(1, 0), Answer::Expired);
    assert_eq!(state.classify(1, 1), Answer::Held { first: 2, last: 3 });
    assert_eq!(
        state.classify(1, 64),
        Answer::Held {
            first: 128,
            last: 129
        }
    );
}

#[test]
fn the_one_whose_newest_batch_ends_lowest_is_forgotten() {
    let many = PRODUCERS_PER_SHARD as u64;
    let mut state = ProducerState::default();
    for producer in 0..many {
        opens(&mut state, producer, producer, 0, 1);
    }
    // Producer 0 writes again, so 1 is the oldest now.
    opens(&mut state, many, 0, 1, 1);
    opens(&mut state, many + 1, many, 0, 1);
    assert_eq!(state.producers().len(), PRODUCERS_PER_SHARD);
    assert_eq!(state.classify(1, 0), Answer::Unknown);
    assert_eq!(
        state.classify(0, 1),
        Answer::Held {
            first: many,
            last: many
        }
    );
    assert_eq!(state.classify(2, 0), Answer::Held { first: 2, last: 2 });
}

fn snapshot(producers: Vec<Producer>) -> ProducerState {
    ProducerState::of(&Producers {
        as_of: u64::MAX,
        open: None,
        producers,
    })
}

fn producer(id: u64, last_sequence: u64, firsts: std::ops::Range<u64>) -> Producer {
    let batches = firsts
        .map(|first| StoredBatch {
            first,
            len: 1,
            digest: None,
        })
        .collect();
    Producer {
        id,
        last_sequence,
        batches,
    }
}

#[test]
fn a_snapshot_is_cut_to_the_limits() {
    let state = snapshot(vec![producer(1, 99, 0..100)]);
    assert_eq!(window(&state, 1).first(), Some(&(36, 1)));
    assert_eq!(
        state.classify(1, 36),
        Answer::Held {
            first: 36,
            last: 36
        }
    );
    let many = PRODUCERS_PER_SHARD as u64 + 10;
    let state = snapshot((0..many).map(|id| producer(id, 0, id..id + 1)).collect());
    assert_eq!(state.producers().len(), PRODUCERS_PER_SHARD);
    assert_eq!(state.known(9), None);
    assert!(state.known(10).is_some());
}

#[test]
fn a_snapshot_that_names_a_producer_twice() {
    let mut state = snapshot(vec![
        producer(1, 3, 0..4),
        producer(1, 9, 5..6),
        producer(1, 9, 5..6),
    ]);
    assert_eq!(window(&state, 1), [(5, 1)]);
    // What it is remembered by stays in step: forgetting reaches each once.
    for other in 0..=PRODUCERS_PER_SHARD as u64 {
        opens(&mut state, 10 + other, 100 + other, 0, 1);
    }
    assert_eq!(state.producers().len(), PRODUCERS_PER_SHARD);
    assert_eq!(state.known(1), None);
}

#[test]
fn settling_and_pruning() {
    let open = || StoredOpen {
        producer_id: 1,
        sequence: 4,
        len: 5,
        first: 20,
        held: 2,
        digest: None,
    };
    let state = || {
        let producers = vec![producer(1, 3, 5..9), producer(2, 0, 3..4)];
        ProducerState::of(&Producers {
            as_of: 30,
            open: Some(open()),
            producers,
        })
    };
    for (tail, stays) in [(21, true), (22, true), (23, false)] {
        let mut state = state();
        state.settle(tail);
        assert_eq!(state.open().is_some(), stays, "settled at {tail}");
    }
    for (base, stays, left) in [
        (0, true, vec![(5, 1), (6, 1), (7, 1), (8, 1)]),
        (7, true, vec![(7, 1), (8, 1)]),
        (20, true, vec![]),
        (21, false, vec![]),
    ] {
        let mut state = state();
        state.prune(base);
        assert_eq!(state.open().is_some(), stays, "pruned at {base}");
        assert_eq!(window(&state, 1), left, "pruned at {base}");
        assert_eq!(state.known(1).is_some(), !left.is_empty());
        assert_eq!(state.known(2).is_some(), base <= 3);
    }
    let mut pruned = state();
    pruned.prune(7);
    assert_eq!(pruned.classify(1, 1), Answer::Expired);
    assert_eq!(pruned.classify(1, 2), Answer::Held { first: 7, last: 7 });
}

#[test]
fn a_batch_ends_with_its_last_record() {
    assert_eq!(Batch { first: 7, len: 1 }.last(), 7);
    assert_eq!(Batch { first: 7, len: 3 }.last(), 9);
    assert_eq!(
        Batch {
            first: u64::MAX - 1,
            len: 9
        }
        .last(),
        u64::MAX
    );
}
