//! Faults that are planted, so that the model is seen to find them.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::explore::explore;
use crate::log::{Log, threads};

/// What is wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// A flush notes the tail when it has synced, and so acknowledges what no sync covered.
    TailAfterSync,
    /// Whoever is woken is not.
    LostWakeUp,
}

thread_local! {
    /// A schedule runs in one thread from beginning to end, whatever threads it models.
    static PLANTED: Cell<Fault> = const { Cell::new(Fault::None) };
}

/// What is wrong in this schedule.
pub fn planted() -> Fault {
    PLANTED.get()
}

fn found(fault: Fault) -> String {
    PLANTED.set(fault);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        explore(|| {
            let log = Log::new();
            let writer = Arc::clone(&log);
            threads(3, move |_| {
                let record = writer.append();
                assert_eq!(writer.wait(&record), Ok(()));
            });
        });
    }));
    PLANTED.set(Fault::None);
    let panic = outcome.expect_err("not found");
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or_default().to_owned()
}

#[test]
fn an_acknowledgement_before_its_flush_is_found() {
    let panic = found(Fault::TailAfterSync);
    assert!(
        panic.contains("no panic") || panic.contains("not on the disk"),
        "{panic}"
    );
}

#[test]
fn a_lost_wake_up_is_found() {
    let panic = found(Fault::LostWakeUp);
    assert!(panic.contains("deadlock"), "{panic}");
}
