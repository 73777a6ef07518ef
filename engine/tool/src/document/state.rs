//! What a shard amounts to after an open, as JSON.

use std::io;
use std::ops::ControlFlow;

use ondisk::felix::CacheRecord;
use ondisk_engine::felix::opening::{Projection, State};
use ondisk_engine::felix::producer::ProducerState;
use ondisk_engine::felix::projection::cache::{CacheEntry, KeysUse, Projected};
use ondisk_engine::felix::projection::counter::Counters;
use ondisk_engine::felix::reader::Reader;

use super::damage;
use super::files::pairs;
use crate::failure::Failure;
use crate::output::json::{Json, Layout, Null};
use crate::output::words;

/// The object `state`, as far as the open gets.
pub(crate) fn state(
    json: &mut Json<'_>,
    state: &State,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    json.object(Layout::Lines)?;
    json.key("epochs")?;
    pairs(
        json,
        state
            .epochs
            .iter()
            .map(|entry| (entry.generation, entry.start_offset)),
    )?;
    if let Some(accepted) = &state.accepted {
        json.key("accepted")?;
        json.object(Layout::Line)?;
        json.field("generation", accepted.generation)?;
        json.field("commit", accepted.commit)?;
        json.field("leader", accepted.leader.as_deref())?;
        json.field("given_up", accepted.given_up)?;
        json.end()?;
    }
    if let Some(rebuilt) = &state.producers {
        json.field("producers_file", rebuilt.snapshot.name())?;
        json.key("producers")?;
        producers(json, &rebuilt.state)?;
    }
    match &state.projection {
        Some(Projection::Cache(projected)) => {
            json.key("cache")?;
            cache(json, projected, reader)?;
            json.key("keys.idx")?;
            keys(json, &projected.keys)?;
        }
        Some(Projection::Counters(counters)) => {
            json.key("counter")?;
            sums(json, counters)?;
        }
        None => {}
    }
    Ok(json.end()?)
}

fn producers(json: &mut Json<'_>, state: &ProducerState) -> io::Result<()> {
    json.object(Layout::Lines)?;
    json.key("open")?;
    match state.open() {
        Some(open) => {
            json.object(Layout::Line)?;
            json.field("pid", open.producer)?;
            json.field("sequence", open.sequence)?;
            json.field("len", open.len)?;
            json.field("first", open.first)?;
            json.field("held", open.held)?;
            json.end()?;
        }
        None => json.value(Null)?,
    }
    json.key("producers")?;
    json.list(Layout::Lines)?;
    for (id, known) in state.producers() {
        json.object(Layout::Line)?;
        json.field("id", id)?;
        json.field("last", known.last())?;
        json.key("window")?;
        pairs(
            json,
            known.window().map(|batch| (batch.first, batch.len.into())),
        )?;
        json.end()?;
    }
    json.end()?;
    json.end()
}

/// The most keys of a cache whose values are shown: each is looked up by itself.
const MOST_VALUES: usize = 1024;

fn cache(json: &mut Json<'_>, projected: &Projected, reader: &Reader<'_>) -> Result<(), Failure> {
    json.object(Layout::Lines)?;
    json.key("entries")?;
    json.object(Layout::Lines)?;
    let entries = projected.cache.entries();
    let with_values = entries.len() <= MOST_VALUES;
    for (key, entry) in entries {
        json.key(key)?;
        json.object(Layout::Line)?;
        json.field("offset", entry.offset)?;
        json.field("version", entry.version)?;
        json.field("expires", entry.expires_at_millis)?;
        json.field("bytes", entry.bytes)?;
        if with_values {
            value(json, entry, reader)?;
        }
        json.end()?;
    }
    json.end()?;
    json.field("log_bytes", projected.cache.log_bytes())?;
    json.field("live_bytes", projected.cache.live_bytes())?;
    Ok(json.end()?)
}

/// The value that the record of an entry holds: `value` for a short text, else `sha256`.
fn value(json: &mut Json<'_>, entry: CacheEntry, reader: &Reader<'_>) -> Result<(), Failure> {
    let mut written = Ok(());
    let read = reader.read(entry.offset, &mut |_, met| {
        if let Ok(record) = CacheRecord::view(met.record.payload()) {
            written = super::content::text_or_hash(json, "value", record.value());
        }
        ControlFlow::Break(())
    })?;
    written?;
    if let Err(corruption) = read {
        json.key("read_error")?;
        damage::site(json, &corruption)?;
    }
    Ok(())
}

fn keys(json: &mut Json<'_>, keys: &KeysUse) -> io::Result<()> {
    json.object(Layout::Line)?;
    match keys {
        KeysUse::Absent => json.field("state", "absent")?,
        KeysUse::Used { covered_through } => {
            json.field("state", "used")?;
            json.field("covered_through", *covered_through)?;
        }
        KeysUse::Ignored { damage } => {
            json.field("state", "ignored")?;
            damage::sidecar(json, damage)?;
        }
    }
    json.end()
}

fn sums(json: &mut Json<'_>, counters: &Counters) -> io::Result<()> {
    json.object(Layout::Lines)?;
    json.key("sums")?;
    json.object(Layout::Lines)?;
    for (key, sum) in counters.sums() {
        json.field(key, sum)?;
    }
    json.end()?;
    json.field("log_bytes", counters.log_bytes())?;
    json.end()
}

/// What became of a key index, in words.
pub(crate) fn keys_in_words(keys: &KeysUse) -> String {
    match keys {
        KeysUse::Absent => "there is no keys.idx, the whole log was replayed".to_owned(),
        KeysUse::Used { covered_through } => {
            format!("keys.idx covers all below offset {covered_through}")
        }
        KeysUse::Ignored { damage } => {
            format!(
                "keys.idx is of no use, the whole log was replayed: {}",
                words::harmless(&damage.to_string())
            )
        }
    }
}
