//! Each sidecar by itself, as JSON.

use std::io;

use ondisk::felix::{ManifestEntry, Producers};
use ondisk_engine::felix::opening::Sidecars;
use ondisk_engine::felix::sidecar::Loaded;
use ondisk_engine::felix::sidecar::keys::KeyIndexFile;

use super::damage;
use crate::output::json::{Json, Layout};

/// The object `files`: every sidecar that is there.
pub(crate) fn files(json: &mut Json<'_>, sidecars: &Sidecars) -> io::Result<()> {
    json.object(Layout::Lines)?;
    file(json, "durable.mark", &sidecars.mark, |json, mark| {
        json.object(Layout::Line)?;
        json.field("segment", mark.segment)?;
        json.field("synced_bytes", mark.synced_bytes)?;
        json.end()
    })?;
    file(json, "epochs", &sidecars.epochs, |json, epochs| {
        pairs(
            json,
            epochs
                .iter()
                .map(|entry| (entry.generation, entry.start_offset)),
        )
    })?;
    file(json, "replica", &sidecars.replica, |json, replica| {
        json.object(Layout::Line)?;
        json.field("generation", replica.generation)?;
        json.field("commit", replica.commit)?;
        json.field("reserved", replica.reserved)?;
        json.end()
    })?;
    file(json, "ballot", &sidecars.ballot, |json, ballot| {
        json.object(Layout::Line)?;
        json.field("generation", ballot.generation)?;
        json.field("leader", &ballot.leader)?;
        json.end()
    })?;
    file(json, "producers", &sidecars.producers, |json, snapshot| {
        producers(json, snapshot.version, &snapshot.producers)
    })?;
    file(
        json,
        "offload.manifest",
        &sidecars.manifest,
        |json, entries| manifest(json, entries),
    )?;
    file(json, "keys.idx", &sidecars.keys, keys)?;
    json.end()
}

fn file<T>(
    json: &mut Json<'_>,
    name: &str,
    loaded: &Loaded<T>,
    value: impl FnOnce(&mut Json<'_>, &T) -> io::Result<()>,
) -> io::Result<()> {
    if matches!(loaded, Loaded::Absent) {
        return Ok(());
    }
    json.key(name)?;
    json.object(Layout::Lines)?;
    match loaded {
        Loaded::Absent => {}
        Loaded::Sound(found) => {
            json.field("state", "sound")?;
            json.key("value")?;
            value(json, found)?;
        }
        Loaded::Damaged(damage) => {
            json.field("state", "damaged")?;
            damage::sidecar(json, damage)?;
        }
        Loaded::Irregular => json.field("state", "unreadable")?,
        Loaded::Unreadable(why) => {
            json.field("state", "unreadable")?;
            json.field("why", why)?;
        }
    }
    json.end()
}

/// A list of pairs of numbers.
pub(super) fn pairs(
    json: &mut Json<'_>,
    pairs: impl Iterator<Item = (u64, u64)>,
) -> io::Result<()> {
    json.list(Layout::Lines)?;
    for (one, other) in pairs {
        json.list(Layout::Line)?;
        json.value(one)?;
        json.value(other)?;
        json.end()?;
    }
    json.end()
}

fn producers(json: &mut Json<'_>, version: u32, producers: &Producers) -> io::Result<()> {
    json.object(Layout::Lines)?;
    json.field("version", version)?;
    json.field("as_of", producers.as_of)?;
    json.key("open")?;
    match &producers.open {
        Some(open) => {
            json.list(Layout::Line)?;
            json.value(open.producer_id)?;
            json.value(open.sequence)?;
            json.value(open.len)?;
            json.value(open.first)?;
            json.value(open.held)?;
            json.end()?;
        }
        None => json.value(None::<u64>)?,
    }
    json.key("producers")?;
    json.list(Layout::Lines)?;
    for producer in &producers.producers {
        json.list(Layout::Line)?;
        json.value(producer.id)?;
        json.value(producer.last_sequence)?;
        pairs(
            json,
            producer
                .batches
                .iter()
                .map(|batch| (batch.first, batch.len.into())),
        )?;
        json.end()?;
    }
    json.end()?;
    json.end()
}

fn manifest(json: &mut Json<'_>, entries: &[ManifestEntry]) -> io::Result<()> {
    json.list(Layout::Lines)?;
    for entry in entries {
        json.object(Layout::Line)?;
        json.field("id", entry.segment)?;
        json.field("base", entry.base_offset)?;
        json.field("last", entry.last_offset)?;
        json.field("size", entry.size)?;
        json.field("oldest", entry.oldest_micros)?;
        json.field("newest", entry.newest_micros)?;
        json.field("checksum", entry.checksum)?;
        json.field("key", &entry.key)?;
        json.end()?;
    }
    json.end()
}

/// What it covers; its entries are shown by a look at the file itself.
fn keys(json: &mut Json<'_>, file: &KeyIndexFile) -> io::Result<()> {
    json.object(Layout::Line)?;
    if let Some(index) = file.view() {
        json.field("covered_through", index.covered_through())?;
        json.field("log_bytes", index.log_bytes())?;
        json.field("last_checksum", index.last_checksum())?;
        json.field("entries", index.entries().len())?;
    }
    json.end()
}
