//! What the threads here meet at, in one place: a model of all their schedules puts other things in its stead.

pub use std::sync::{Condvar, Mutex, MutexGuard};
pub use std::thread;
