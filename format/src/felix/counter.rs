//! The payload of a counter record (Felix 13.2).

use crate::{Format, format};

/// What a counter record does.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(u8)]
pub enum CounterOp {
    /// Adds to the sum.
    Delta = 0,
    /// Replaces the sum.
    Checkpoint = 1,
}

/// A change of a counter: the payload of an ordinary record.
#[format(le, whole, reads = 1..=1, order(.., op))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterRecord<'a> {
    /// 1.
    #[format(version)]
    version: u8,
    /// Delta or checkpoint.
    pub op: CounterOp,
    /// What is added, or the sum.
    pub value: i64,
    /// Bytes of the key.
    #[format(len(key))]
    key_len: u32,
    /// The key; the payload ends with it.
    pub key: &'a str,
}
