//! How a value is shown.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write;

use crate::describe::{Presence, Role};
use crate::escape;
use crate::walk::{Field, Value};

/// Bytes of a text shown.
const MOST_TEXT: usize = 48;

/// The value of a field in words; none where the lines that follow say it.
pub(super) fn show(field: &Field<'_>) -> Option<String> {
    Some(match field.value {
        Value::Kind(_) | Value::Entries { .. } => return None,
        Value::Absent if field.range.is_empty() => match field.row.presence {
            // Its tag says so.
            Presence::Tag { .. } => return None,
            _ => "absent".to_string(),
        },
        Value::Absent => "zeros in its place".to_string(),
        Value::Tag(true) => "there".to_string(),
        Value::Tag(false) => "absent".to_string(),
        Value::Uint(number) => match field.row.role {
            Role::Checksum(..) => format!("{number:0width$x}", width = 2 * field.range.len()),
            Role::Word => format!("{number:#x}"),
            _ => unsigned(number),
        },
        Value::Int(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Bytes(found) => bytes(found),
        Value::Text(text) => bytes(text.as_bytes()),
        Value::NotText(found) => bytes(found),
        Value::Variant {
            raw,
            known: Some(known),
            ..
        } => format!("{} = {raw}", known.name),
        Value::Variant {
            raw,
            of,
            known: None,
        } => format!("{raw}, of no {}", of.name),
    })
}

fn unsigned(number: u64) -> String {
    if number > u64::from(u32::MAX) {
        format!("{number} = {number:#x}")
    } else {
        number.to_string()
    }
}

/// Bytes as text where most of them are text to a reader, in hex where they are not.
pub(super) fn bytes(found: &[u8]) -> String {
    if reads_as_text(found) {
        return format!("\"{}\"", escape::bytes(found).at_most(MOST_TEXT));
    }
    let mut shown = String::new();
    for byte in found.iter().take(MOST_TEXT / 2) {
        let _ = write!(shown, "{byte:02x}");
    }
    match found.len().checked_sub(MOST_TEXT / 2) {
        Some(left @ 1..) => format!("{shown}… {left} more"),
        _ => shown,
    }
}

fn reads_as_text(found: &[u8]) -> bool {
    core::str::from_utf8(found).is_ok_and(|text| {
        let strange = text.chars().filter(|&char| !escape::is_harmless(char));
        strange.count() * 8 <= found.len()
    })
}
