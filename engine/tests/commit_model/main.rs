//! Group commit and the background under a scheduler that decides which thread goes on at every step: the sources of the
//! crate as they are, with locks, atomics and parking that it controls. Some thousand schedules for each of what is promised.
//!
//! `COMMIT_MODEL_SCHEDULES` is the number of schedules of each kind.

#[allow(dead_code, reason = "not all of it is modelled")]
#[path = "../../src/background/mod.rs"]
mod background;
#[allow(dead_code, reason = "not all of it is modelled")]
#[path = "../../src/clock.rs"]
mod clock;
#[allow(dead_code, reason = "not all of it is modelled")]
#[path = "../../src/commit/mod.rs"]
mod commit;
#[allow(dead_code, unused_imports, reason = "not all of it is modelled")]
#[path = "../../src/planted.rs"]
mod planted;

mod acknowledged;
mod cut;
mod explore;
mod failed;
mod faults;
mod followers;
mod log;
mod mixed;
mod sync;
mod tasks;
mod wakers;
