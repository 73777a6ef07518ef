//! Nothing is allocated for a record.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use ondisk_engine::felix::log::{Bound, Config};

use crate::bench::{Place, fill, small};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it came; counting touches no memory of the heap, since
// the counter is a thread-local without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(Box::new(7)))), 1);
}

#[test]
fn iterating_and_keeping() {
    const RECORDS: usize = 2000;
    for place in Place::all() {
        // One segment: opening the next one may allocate.
        let log = place.open(Config {
            segment_size_bytes: 64 << 20,
            ..small()
        });
        fill(&log, [100; RECORDS]);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let mut met = 1;
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                black_box((
                    record.offset(),
                    record.payload(),
                    record.mark(),
                    record.checksum(),
                ));
                met += 1;
            }
        });
        assert_eq!(met, RECORDS);
        assert_eq!(count, 0, "{}", place.name);

        // The same again, keeping one record at a time.
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                black_box(record.keep());
            }
        });
        assert_eq!(count, 0, "{}, kept for a moment", place.name);

        // Keeping all of them: one more buffer for every window, and none where pages are mapped.
        let mut kept = Vec::with_capacity(RECORDS);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                kept.push(record.keep());
            }
        });
        let windows = RECORDS * 128 / (64 * 1024) + 1;
        let most = if place.name == "mapped" {
            0
        } else {
            2 * windows
        };
        assert!(count <= most, "{count} allocations, {}", place.name);
    }
}

#[test]
fn point_reads() {
    let place = Place::mapped();
    let log = place.open(Config {
        segment_size_bytes: 100_000,
        ..small()
    });
    fill(&log, [100; 5000]);
    let read = |offset| {
        let mut records = log.read(offset, Bound::Tail).expect("it is there");
        let record = records.next().expect("it reads").expect("one more");
        assert_eq!(record.offset(), offset);
    };
    for offset in (0..5000).step_by(97) {
        read(offset);
    }
    let count = allocations(|| {
        for offset in (0..5000).step_by(89) {
            read(offset);
        }
    });
    assert_eq!(count, 0, "with every segment open");
}
