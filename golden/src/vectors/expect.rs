//! Whether a vector reads as it says.

use std::fmt::Display;

use ondisk::describe::Shape;
use ondisk::registry::{Entry, Refusal};
use ondisk::tree::{Node, Only, tree};
use ondisk::{Error, Fault};

use super::{Outcome, Part, Vector, hex};
use crate::Harness;
use crate::problems::Problems;

impl Harness {
    /// Every vector reads, or is refused, exactly as it says, and what reads is written back.
    ///
    /// # Panics
    /// With what does not.
    pub fn vectors_read_as_they_say(&self) {
        let mut problems = Problems::default();
        for vector in &self.vectors {
            problems.check(&vector.name, self.read(vector));
        }
        problems.report();
    }

    fn read(&self, vector: &Vector) -> Result<(), String> {
        let mut rest = vector.bytes.as_slice();
        for part in &vector.parts {
            let kind = &part.kind;
            let entry = self
                .entry(kind)
                .ok_or_else(|| format!("no kind {kind} is registered"))?;
            let result = entry.open(rest, part.version);
            match (&part.outcome, result) {
                (Outcome::Ok(values), Ok(used)) => {
                    let bytes = rest.get(..used).ok_or("reads more than is there")?;
                    is_read(entry, part, values, rest)?;
                    is_written(entry, part, bytes, rest)?;
                    rest = if entry.kind.whole { &[] } else { &rest[used..] };
                }
                (Outcome::Ok(_), Err(error)) => return Err(format!("does not read: {error}")),
                (Outcome::Refused { .. }, Ok(_)) => return Err("reads, and should not".to_owned()),
                (Outcome::Refused { row, fault, fields }, Err(error)) => {
                    is_refused(error, row, fault, fields)?;
                    rest = &[];
                }
            }
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(format!("{} bytes are left over", rest.len()))
        }
    }
}

fn is_read(
    entry: &Entry,
    part: &Part,
    values: &[(String, String)],
    bytes: &[u8],
) -> Result<(), String> {
    // The codec of a text is written by hand; its values are not known here.
    if matches!(entry.kind.shape, Shape::Text { .. }) {
        return Ok(());
    }
    let (node, _) = tree(entry.kind, bytes, part.version, Only::Everything);
    for (row, value) in values {
        let found = find(&node, row);
        if !is_value(found.as_ref(), value)? {
            let found = found.unwrap_or(Node::Null);
            return Err(format!("{row} is {found}, not {value}"));
        }
    }
    Ok(())
}

/// The value of a row; none for one that is absent.
fn find(node: &Node, path: &str) -> Option<Node> {
    let mut node = node.clone();
    for step in path.split('.') {
        let (row, index) = match step.split_once('[') {
            Some((row, index)) => (
                row,
                Some(index.trim_end_matches(']').parse::<usize>().ok()?),
            ),
            None => (step, None),
        };
        node = match (&node, index) {
            (Node::List(entries), None) if row == "len" => Node::Uint(entries.len() as u64),
            (_, None) => node.get(row)?.clone(),
            (_, Some(index)) => node.get(row)?.entries().get(index)?.clone(),
        };
    }
    Some(node)
}

fn is_value(node: Option<&Node>, value: &str) -> Result<bool, String> {
    let bytes_of = |node: &Node| match node {
        Node::Text(text) => Some(text.clone().into_bytes()),
        Node::Bytes(bytes) => Some(bytes.to_vec()),
        _ => None,
    };
    Ok(match (node, value) {
        (None | Some(Node::Null), value) => value == "none",
        (Some(Node::Bool(flag)), value) => value == flag.to_string(),
        (Some(Node::Uint(number)), value) => number_of(value) == Some(i128::from(*number)),
        (Some(Node::Int(number)), value) => number_of(value) == Some(i128::from(*number)),
        (Some(node), value) => match (value.strip_prefix('"'), value.strip_prefix('x')) {
            (Some(text), _) => {
                bytes_of(node) == Some(text.trim_end_matches('"').as_bytes().to_vec())
            }
            (None, Some(digits)) => bytes_of(node) == Some(hex(digits)?),
            (None, None) => *node == Node::Text(value.to_owned()),
        },
    })
}

fn number_of(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn is_written(entry: &Entry, part: &Part, bytes: &[u8], all: &[u8]) -> Result<(), String> {
    let written = entry
        .rewrite(all, part.version)
        .map_err(|refusal| match refusal {
            Refusal::Read(error) => format!("is not read again: {error}"),
            Refusal::Write(error) => format!("cannot be written: {error}"),
        })?;
    let right = if entry.kind.whole { all } else { bytes };
    match (written == right, part.rewrite_differs) {
        (true, false) | (false, true) => Ok(()),
        (false, false) => Err(format!("is written as {written:02x?}")),
        (true, true) => Err("is written as the same bytes".to_owned()),
    }
}

fn is_refused(
    error: Error,
    row: &str,
    fault: &str,
    fields: &[(String, String)],
) -> Result<(), String> {
    let (name, found) = fields_of(error.fault());
    let differs = |what: &dyn Display| Err(format!("is refused by {error:?}, not {what}"));
    if row != "*" && row != error.row() {
        return differs(&format_args!("in row {row}"));
    }
    if fault != "*" && fault != name {
        return differs(&fault);
    }
    for (field, value) in fields {
        let is = found
            .iter()
            .find(|(name, _)| name == field)
            .map(|(_, number)| *number);
        if is.is_none() || is != number_of(value) {
            return differs(&format_args!("{field}={value}"));
        }
    }
    Ok(())
}

/// The name of a fault and its numbers; a magic is a big-endian number.
fn fields_of(fault: Fault) -> (String, Vec<(&'static str, i128)>) {
    let debug = format!("{fault:?}");
    let name = debug
        .split([' ', '{'])
        .next()
        .unwrap_or_default()
        .to_owned();
    let fields: Vec<(&'static str, i128)> = match fault {
        Fault::Short { needed, available } | Fault::Overrun { needed, available } => {
            vec![("needed", needed.into()), ("available", available.into())]
        }
        Fault::Length { expected, found }
        | Fault::MustBe { expected, found }
        | Fault::Checksum { expected, found } => {
            vec![("expected", expected.into()), ("found", found.into())]
        }
        Fault::Trailing { left } => vec![("left", left.into())],
        Fault::Magic { expected, found } => {
            vec![
                ("expected", expected.be_u32().into()),
                ("found", found.be_u32().into()),
            ]
        }
        Fault::Version { found, min, max } => {
            vec![
                ("found", found.into()),
                ("min", min.into()),
                ("max", max.into()),
            ]
        }
        Fault::NotInVersion {
            found,
            version,
            since,
            until,
        } => vec![
            ("found", found.into()),
            ("version", version.into()),
            ("since", since.into()),
            ("until", until.into()),
        ],
        Fault::TooSmall { found, limit } => vec![("found", found.into()), ("limit", limit.into())],
        Fault::TooLarge { found, limit } => vec![("found", found.into()), ("limit", limit.into())],
        Fault::Unknown { found } | Fault::Refused { found, .. } => vec![("found", found.into())],
        Fault::Utf8 { valid_up_to } => vec![("valid_up_to", valid_up_to.into())],
        Fault::Tag { found } => vec![("found", found.into())],
        _ => Vec::new(),
    };
    (name, fields)
}
