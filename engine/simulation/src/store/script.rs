//! A script, its text, and the named ones.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use ondisk::felix::name::StreamKey;
use ondisk_engine::disk::simulated::Fault;
use ondisk_engine::felix::store::{Family, ShardPlace};

use super::{Op, stream_key};
use crate::shard::parsed;

/// What is done to one data directory, from an empty one on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What it is called in reports.
    pub name: String,
    /// Records are acknowledged ahead of their flush.
    pub early: bool,
    /// What the disk does wrong on the way; no part of the text.
    pub fault: Option<Fault>,
    /// After a failure another run begins, before the step is tried again.
    pub restarts: bool,
    /// The steps.
    pub ops: Vec<Op>,
}

impl Script {
    /// All shards that a step is about.
    #[must_use]
    pub fn places(&self) -> BTreeSet<ShardPlace> {
        self.ops.iter().filter_map(Op::place).cloned().collect()
    }

    /// All streams and caches that a step is about.
    #[must_use]
    pub fn streams(&self) -> BTreeSet<(Family, StreamKey)> {
        let stream = |op: &Op| match op {
            Op::Delete(family, stream, _) => Some((*family, stream_key(stream))),
            _ => op.place().map(stream_of),
        };
        self.ops.iter().filter_map(stream).collect()
    }
}

/// The stream or cache that a shard is of.
pub(super) fn stream_of(place: &ShardPlace) -> (Family, StreamKey) {
    (Family::of(place.store), place.key.stream_key())
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", self.name)?;
        writeln!(f, "early = {}", self.early)?;
        writeln!(f)?;
        self.ops.iter().try_for_each(|op| writeln!(f, "{op}"))
    }
}

/// What follows a `#` is a remark.
impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut script = Self {
            name: String::from("unnamed"),
            early: false,
            fault: None,
            restarts: false,
            ops: Vec::new(),
        };
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let setting = line.split_once('=');
            match setting.map(|(key, value)| (key.trim(), value.trim())) {
                Some(("name", value)) => value.clone_into(&mut script.name),
                Some(("early", value)) => {
                    script.early = value
                        .parse()
                        .map_err(|_| format!("{line}: true or false"))?;
                }
                Some(_) => return Err(format!("{line}: not a setting")),
                None if line.is_empty() => {}
                None => script.ops.push(line.parse()?),
            }
        }
        Ok(script)
    }
}

/// Short scripts that together do everything that changes a data directory.
///
/// # Panics
/// When the text of one is no script.
#[must_use]
pub fn scripts() -> Vec<Script> {
    parsed(include_str!("scripts.txt"))
}
