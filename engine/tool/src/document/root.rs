//! A data directory as JSON: identity, markers, bins.

use std::io;

use ondisk::felix::{RunPhase, StreamMarker};

use ondisk_engine::felix::store::{FileState, Root, StartCategory};

use super::damage;
use crate::output::json::{Json, Layout, Null};
use crate::output::words;

/// The fields that a data directory begins with: what a start comes to, and the files of identity.
pub(crate) fn identity(json: &mut Json<'_>, root: &Root) -> io::Result<()> {
    let category = root.category(false);
    json.field("path", words::json_name(root.path().as_os_str()))?;
    json.field("kind", "root")?;
    json.field("category", category.to_string())?;
    json.key("error")?;
    error(json, root, &category)?;
    let identity = &root.identity;
    json.key("identity")?;
    json.object(Layout::Lines)?;
    file(json, "storage-id", &identity.storage_id, |json, storage| {
        json.field("id", hex(&storage.id))
    })?;
    file(json, "run-state", &identity.run_state, |json, run| {
        let state: u64 = match run.state {
            RunPhase::Running => 1,
            RunPhase::Stopped => 2,
        };
        json.field("state", state)?;
        json.field("flags", run.flags)?;
        json.field("id", hex(&run.id))
    })?;
    file(
        json,
        "registration",
        &identity.registration,
        |json, registration| json.field("incarnation", registration.incarnation),
    )?;
    file(json, "node-id", &identity.node_id, |json, node| {
        json.field("node_id", &node.id)
    })?;
    json.field("storage_id_at_start", root.storage_id_at_start().name())?;
    json.field("run_state_id_differs", root.run_state_id_differs())?;
    json.end()
}

/// The fields behind the shards: markers, bins, names that are not ours.
pub(crate) fn markers(json: &mut Json<'_>, root: &Root) -> io::Result<()> {
    json.key("streams")?;
    json.object(Layout::Lines)?;
    for found in &root.markers {
        file(json, &found.path, &found.state, marker)?;
    }
    json.end()?;
    json.key("deleted")?;
    json.object(Layout::Lines)?;
    for bin in &root.bins {
        json.key(&bin.path)?;
        json.list(Layout::Lines)?;
        bin.names.iter().try_for_each(|name| json.value(name))?;
        json.end()?;
    }
    json.end()?;
    json.key("leftovers")?;
    json.list(Layout::Lines)?;
    root.leftovers
        .iter()
        .try_for_each(|name| json.value(name))?;
    json.end()?;
    json.key("foreign")?;
    json.list(Layout::Lines)?;
    root.foreign
        .iter()
        .try_for_each(|foreign| json.value(words::json_name(&foreign.name)))?;
    json.end()
}

fn marker(json: &mut Json<'_>, marker: &StreamMarker) -> io::Result<()> {
    json.field("incarnation", marker.incarnation)?;
    json.field("deleting", marker.deleting)?;
    json.field("deleted_through", marker.deleted_through)
}

fn error(json: &mut Json<'_>, root: &Root, category: &StartCategory) -> io::Result<()> {
    let identity = &root.identity;
    match category {
        StartCategory::OpenOk | StartCategory::ReadOnly(_) => json.value(Null),
        StartCategory::Unreadable(file) => damage::io_error(json, file),
        StartCategory::Refused(file) => {
            json.object(Layout::Line)?;
            json.field("type", "Sidecar")?;
            json.field("file", *file)?;
            let damages = [
                ("storage-id", identity.storage_id.damage()),
                ("run-state", identity.run_state.damage()),
                ("registration", identity.registration.damage()),
                ("node-id", identity.node_id.damage()),
            ];
            if let Some((_, Some(found))) = damages.iter().find(|(name, _)| name == file) {
                damage::sidecar(json, found)?;
            }
            json.end()
        }
    }
}

fn file<T>(
    json: &mut Json<'_>,
    name: &str,
    state: &FileState<T>,
    value: impl FnOnce(&mut Json<'_>, &T) -> io::Result<()>,
) -> io::Result<()> {
    json.key(name)?;
    json.object(Layout::Line)?;
    json.field("state", state.name())?;
    if let Some(found) = state.sound() {
        json.key("value")?;
        json.object(Layout::Line)?;
        value(json, found)?;
        json.end()?;
    }
    if let Some(found) = state.damage() {
        damage::sidecar(json, &found)?;
    }
    json.end()
}

/// An id, as it is written down.
pub(crate) fn hex(id: &[u8; 16]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}
