//! What is wrong, as JSON: corruption, damaged sidecars, what an open fails with.

use std::io;

use ondisk_engine::felix::error::{Corruption, CorruptionKind, SidecarDamage};
use ondisk_engine::felix::recovery::Refusal;

use crate::output::json::{Json, Layout, Null};

/// `kind` and `fields`.
pub(super) fn corruption(json: &mut Json<'_>, kind: &CorruptionKind) -> io::Result<()> {
    json.field("kind", kind.name())?;
    json.key("fields")?;
    json.object(Layout::Line)?;
    for (name, value) in kind.fields() {
        json.field(name, value)?;
    }
    json.end()
}

/// `damage` and `fields`.
pub(super) fn sidecar(json: &mut Json<'_>, damage: &SidecarDamage) -> io::Result<()> {
    json.field("damage", damage.name())?;
    json.key("fields")?;
    json.object(Layout::Line)?;
    match *damage {
        SidecarDamage::Short { needed, available } => {
            json.field("needed", needed)?;
            json.field("available", available)?;
        }
        SidecarDamage::Length { expected, found } => {
            json.field("expected", expected)?;
            json.field("found", found)?;
        }
        SidecarDamage::Checksum { expected, found } => {
            json.field("expected", expected)?;
            json.field("found", found)?;
        }
        SidecarDamage::Magic { found } | SidecarDamage::Version { found } => {
            json.field("found", found)?
        }
        SidecarDamage::Field { name } => json.field("name", name)?,
        _ => {}
    }
    json.end()
}

/// What an open fails with: an object, or null.
pub(super) fn refusal(json: &mut Json<'_>, refusal: Option<&Refusal>) -> io::Result<()> {
    let Some(refusal) = refusal else {
        return json.value(Null);
    };
    match refusal {
        Refusal::Corruption { corruption, .. } => site(json, corruption),
        Refusal::Sidecar { file, damage } => {
            json.object(Layout::Line)?;
            json.field("type", "Sidecar")?;
            json.field("file", *file)?;
            sidecar(json, damage)?;
            json.end()
        }
        Refusal::Irregular { file } => io_error(json, file),
        other => {
            json.object(Layout::Line)?;
            json.field("type", other.kind())?;
            json.end()
        }
    }
}

/// A file that an open would not open.
pub(super) fn io_error(json: &mut Json<'_>, file: &str) -> io::Result<()> {
    json.object(Layout::Line)?;
    json.field("type", "Io")?;
    json.field("file", file)?;
    json.end()
}

/// Corruption at a byte of a file.
pub(crate) fn failure(json: &mut Json<'_>, position: u64, kind: &CorruptionKind) -> io::Result<()> {
    json.object(Layout::Line)?;
    json.field("position", position)?;
    corruption(json, kind)?;
    json.field("message", kind.to_string())?;
    json.end()
}

/// Corruption with its place.
pub(super) fn site(json: &mut Json<'_>, found: &Corruption) -> io::Result<()> {
    json.object(Layout::Line)?;
    json.field("type", "Corruption")?;
    corruption(json, &found.kind)?;
    json.field("segment", found.site.segment)?;
    json.field("position", found.site.position)?;
    json.end()
}
