//! Group commit with real threads, and with futures that are polled by hand. `commit_model` has the schedules.

mod handles;
mod log;
mod threads;
