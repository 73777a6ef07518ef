//! One shard as a log, on the real disk and in memory.

mod append;
mod careful;
mod faults;
mod faulty;
mod handles;
mod kept;
mod look;
mod looked_at;
mod names;
mod producers;
mod races;
mod reads;
mod recover;
mod retention;
mod sidecars;
mod threads;
mod truncate;
