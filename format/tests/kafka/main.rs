//! The language beyond one system: Kafka's record batch with its varints and nullable rows, and an object of krabka whose
//! rows are found from the end.
#![allow(missing_docs, reason = "the kinds are cases of a test")]

#[path = "../hold/mod.rs"]
mod hold;

mod batch;
mod record;
mod wal_object;
