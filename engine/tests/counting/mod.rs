//! Counts what a thread allocates.
#![allow(dead_code, reason = "each program that is built with it uses a part")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes allocated less bytes freed: below zero where a thread frees what another one allocated.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it came; counting touches no memory of the heap, since
// the counters are thread-locals without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size().cast_signed());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-layout.size().cast_signed());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn hold(more: isize) {
    let held = HELD.with(Cell::get) + more;
    HELD.with(|bytes| bytes.set(held));
    MOST.with(|most| most.set(most.get().max(held)));
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often `work` allocates.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// How many bytes more a thread has on the heap than before.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Now.
    pub kept: isize,
    /// At the worst moment.
    pub most: isize,
}

/// What `work` returns, and how the heap of this thread grew meanwhile.
pub fn growth<T>(work: impl FnOnce() -> T) -> (T, Growth) {
    let before = HELD.with(Cell::get);
    MOST.with(|most| most.set(before));
    let done = work();
    let growth = Growth {
        kept: HELD.with(Cell::get) - before,
        most: MOST.with(Cell::get) - before,
    };
    (done, growth)
}
