//! One shard as a log, on the real disk and in memory.

mod append;
mod look;
mod reads;
mod recover;
mod retention;
mod truncate;
