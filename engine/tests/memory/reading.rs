//! Reading keeps nothing.

use ondisk_engine::felix::log::{Bound, Log};

use crate::counting::growth;
use crate::shard::{PAYLOAD, Shard, open};

/// Records read one after the other.
const RUN: u64 = 300;

fn read_run(log: &Log, from: u64) {
    let mut records = log.read(from, Bound::Tail).expect("it is there");
    for offset in from..log.tail().min(from + RUN) {
        let record = records.next().expect("it reads").expect("one more");
        assert_eq!((record.offset(), record.payload().len()), (offset, PAYLOAD));
    }
}

#[test]
fn a_log_of_ten_gibibytes_is_read_in_all_its_segments_with_one_window() {
    let shard = Shard {
        segments: 40,
        records: (256 << 10) - 1,
    };
    let (middle, end) = (shard.records / 2, shard.records);
    // Index entries lie up to 64 records ahead of what is looked for.
    let there = [(0, RUN), (middle - 64, middle + RUN), (end - RUN, end)];
    let log = open(shard.with(&there));
    let ((), growth) = growth(|| {
        for id in 0..shard.segments {
            read_run(&log, shard.base(id) + middle);
            // From the end of a segment into the next one.
            read_run(&log, shard.base(id) + end - RUN / 2);
        }
    });
    // A window of 64 KiB for each reader, one at a time, and what four open segments take.
    assert!(growth.most < 128 << 10, "{growth:?}");
    assert!(growth.kept < 16 << 10, "{growth:?}");
}
