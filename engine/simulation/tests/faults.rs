//! Every call of every script fails, with every error, once and for good.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ondisk_simulation::faults::fail_everywhere;
use ondisk_simulation::shard::scripts;

#[test]
fn no_failure_breaks_a_promise() {
    let scripts = scripts();
    let next = AtomicUsize::new(0);
    let broken = Mutex::new(Vec::new());
    let runs = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match fail_everywhere(script, 1) {
                        Ok(failures) => {
                            let count = usize::try_from(failures.runs).expect("few");
                            runs.fetch_add(count, Ordering::Relaxed);
                        }
                        Err(violation) => {
                            let mut broken = broken.lock().expect("no panic under it");
                            broken.push(violation.to_string());
                        }
                    }
                }
            });
        }
    });
    let broken = broken.into_inner().expect("no panic under it");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let runs = runs.into_inner();
    assert!(runs > 15_000, "only {runs} failures");
}
