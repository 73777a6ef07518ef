//! Work off the path of whoever asks for it: flushes, syncs of the mark, sealing, retention.
//!
//! A [`Background`] is a handful of threads that all logs of a store share. What is to be done is registered once, as a
//! [`Task`], and costs a thread only while it runs: a thousand logs with three tasks each are three thousand entries of a
//! table.
//!
//! A job that hangs, say in a sync of a device that does not answer, holds up its worker and nothing else. When every
//! worker is held up and something is ready for 100 ms that nobody takes, the timer thread starts a spare one, 100 ms
//! later the next, up to 16 in all; a worker beyond the number that was asked for leaves as soon as nothing is ready.
//! So one hanging shard delays another by 100 ms at most, unless 16 hang.

mod handle;
mod pool;
mod schedule;
mod task;

pub use handle::Background;
pub use task::Task;
