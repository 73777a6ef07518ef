//! What is known of producers: a function of the marks in the log alone, so that all replicas agree (Felix 12).

mod answer;
mod rebuild;
mod state;
mod window;

pub use answer::Answer;
pub use rebuild::{Rebuilt, SnapshotUse, rebuild};
pub use state::{OpenBatch, PRODUCERS_PER_SHARD, ProducerState};
pub use window::{Batch, Known, WINDOW_BATCHES};
