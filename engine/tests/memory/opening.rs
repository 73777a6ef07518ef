//! What an open reads of a sealed segment, and what an open log holds for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};

use crate::counting::growth;
use crate::shard::{RECORD, Shard, open};

#[test]
fn an_open_log_of_ten_thousand_segments_holds_a_few_hundred_bytes_for_each() {
    const SEGMENTS: u32 = 10_000;
    let shard = Shard {
        segments: SEGMENTS.into(),
        records: 2,
    };
    let directory = shard.with(&[(0, 2)]);
    let (log, growth) = growth(|| open(directory));
    assert_eq!(log.tail(), shard.tail());
    let each = growth.kept / SEGMENTS as isize;
    assert!((100..220).contains(&each), "{growth:?}");
    // While it is planned, too.
    let each = growth.most / SEGMENTS as isize;
    assert!(each < 1000, "{growth:?}");
}

#[test]
fn an_open_reads_as_much_of_a_sealed_segment_however_long_it_is() {
    let reads = [512_u64, 1024, 2048].map(|mebibytes| {
        let shard = Shard {
            segments: 3,
            records: mebibytes * (1 << 20) / RECORD,
        };
        // Whatever else was read would be damage.
        let end = shard.records;
        let inner = shard.with(&[(end - 64, end)]);
        let reads = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
        let counted = Arc::clone(&reads);
        let directory = HookedDirectory::over(inner, move |call, name| {
            if call == Call::Read {
                let mut reads = counted.lock().expect("no panic");
                *reads.entry(name.to_owned()).or_default() += 1;
            }
            Verdict::Go
        });
        let log = open(directory);
        assert_eq!(log.tail(), shard.tail());
        assert!(log.recovered().reports.is_empty());
        let reads = reads.lock().expect("no panic");
        [0, 1, 2].map(|id| {
            let of = |file: SegmentFile| reads[&file.to_string()];
            (of(SegmentFile::Log { id }), of(SegmentFile::Index { id }))
        })
    });
    // Each is of 64 KiB at most: the header and the last records, the front of the index and its end.
    assert_eq!(reads, [[(2, 2); 3]; 3]);
}
