//! An instance as a tree of values, which shows itself as JSON.
//!
//! It is made from the description alone, so it is there for every kind and also for damaged bytes, as far as they can be
//! walked. Numbers are written in full: 64-bit values go past what a reader with doubles keeps.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::describe::Kind;
use crate::error::Error;
use crate::escape::is_harmless;
use crate::walk::{Field, Instance, Value, Visitor, walk};

/// A value in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// What is not there.
    Null,
    /// A flag.
    Bool(bool),
    /// An unsigned number.
    Uint(u64),
    /// A signed number.
    Int(i64),
    /// Text, or the name of an enum's value.
    Text(String),
    /// Bytes that are no text; in JSON an object `{"hex": ".."}`.
    Bytes(Box<[u8]>),
    /// Entries.
    List(Vec<Node>),
    /// Rows by name.
    Map(Vec<(&'static str, Node)>),
}

/// Which rows a tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// All of them.
    Everything,
    /// Those of the value, not what the writer computes.
    Values,
}

/// The tree of the instance at the front of `bytes`, as far as it can be walked, and why the walk stopped, if it did.
/// `version` governs a kind without a version row.
#[must_use]
pub fn tree(kind: &'static Kind, bytes: &[u8], version: u32, only: Only) -> (Node, Option<Error>) {
    let mut builder = Builder {
        only,
        open: Vec::new(),
        done: Node::Null,
    };
    let stop = walk(kind, bytes, version, &mut builder).err();
    (builder.done, stop)
}

impl Node {
    /// The value of a row of this map.
    #[must_use]
    pub fn get(&self, row: &str) -> Option<&Self> {
        match self {
            Self::Map(rows) => rows
                .iter()
                .find(|(name, _)| *name == row)
                .map(|(_, node)| node),
            _ => None,
        }
    }

    /// The entries of this list.
    #[must_use]
    pub fn entries(&self) -> &[Self] {
        match self {
            Self::List(entries) => entries,
            _ => &[],
        }
    }
}

struct Builder {
    only: Only,
    /// The rows found of each open instance.
    open: Vec<Vec<(&'static str, Node)>>,
    done: Node,
}

impl<'a> Visitor<'a> for Builder {
    fn enter(&mut self, _: &Instance) {
        self.open.push(Vec::new());
    }

    fn field(&mut self, field: &Field<'a>) {
        let node = match field.value {
            Value::Tag(_) => return,
            Value::Absent if !(field.row.since..=field.row.until).contains(&field.version) => {
                return;
            }
            // Instances are added when they end; one that is kept out leaves no trace.
            Value::Entries { .. } => Node::List(Vec::new()),
            Value::Absent | Value::Kind(_) => Node::Null,
            Value::Uint(number) => Node::Uint(number),
            Value::Int(number) => Node::Int(number),
            Value::Bool(flag) => Node::Bool(flag),
            Value::Text(text) => Node::Text(text.to_string()),
            Value::NotText(bytes) | Value::Bytes(bytes) => of_bytes(bytes),
            Value::Variant {
                known: Some(known), ..
            } => Node::Text(known.name.to_string()),
            Value::Variant { raw, .. } => Node::Uint(raw),
        };
        if let Some(rows) = self.open.last_mut() {
            rows.push((field.row.name, node));
        }
    }

    fn leave(&mut self, instance: &Instance) {
        let Some(mut rows) = self.open.pop() else {
            return;
        };
        if self.only == Only::Values {
            rows.retain(|(name, _)| instance.kind.row(name).is_none_or(|(_, row)| row.in_value));
        }
        let node = Node::Map(rows);
        match self.open.last_mut().and_then(|rows| rows.last_mut()) {
            Some((_, Node::List(entries))) => entries.push(node),
            Some((_, slot)) => *slot = node,
            None => self.done = node,
        }
    }
}

/// Bytes that read as text are shown as text.
fn of_bytes(bytes: &[u8]) -> Node {
    match core::str::from_utf8(bytes) {
        Ok(text) if text.chars().all(is_harmless) => Node::Text(text.to_string()),
        _ => Node::Bytes(bytes.into()),
    }
}

/// JSON; with `{:#}` over several lines.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pretty = f.alternate();
        self.json(f, pretty.then_some(0))
    }
}

impl Node {
    fn json(&self, f: &mut fmt::Formatter<'_>, indent: Option<usize>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Uint(number) => write!(f, "{number}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Text(text) => string(f, text),
            Self::Bytes(bytes) => {
                f.write_str("{\"hex\":\"")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("\"}")
            }
            Self::List(entries) => list(f, indent, ['[', ']'], entries, |f, entry, indent| {
                entry.json(f, indent)
            }),
            Self::Map(rows) => list(f, indent, ['{', '}'], rows, |f, (name, node), indent| {
                write!(f, "\"{name}\":{}", if indent.is_some() { " " } else { "" })?;
                node.json(f, indent)
            }),
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    indent: Option<usize>,
    [open, close]: [char; 2],
    items: &[T],
    show: impl Fn(&mut fmt::Formatter<'_>, &T, Option<usize>) -> fmt::Result,
) -> fmt::Result {
    let inner = indent
        .filter(|_| !items.is_empty())
        .map(|indent| indent + 1);
    let line = |f: &mut fmt::Formatter<'_>, indent: Option<usize>| match indent {
        Some(indent) => write!(f, "\n{:width$}", "", width = 2 * indent),
        None => Ok(()),
    };
    f.write_char(open)?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        line(f, inner)?;
        show(f, item, inner)?;
    }
    if inner.is_some() {
        line(f, indent)?;
    }
    f.write_char(close)
}

/// A JSON string; what does not show as itself is written as `\uNNNN`.
pub fn string(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for char in text.chars() {
        match char {
            '"' | '\\' => write!(f, "\\{char}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            char if is_harmless(char) => f.write_char(char)?,
            char => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::walk::samples::{FRAME, OBJECT, frame, object};

    #[test]
    fn json_of_a_frame_and_an_object() {
        let bytes = frame(1, &[0, 7], b"hi");
        let (node, stop) = tree(&FRAME, &bytes, 2, Only::Values);
        assert_eq!(stop, None);
        assert_eq!(node.get("op"), Some(&Node::Text("Tagged".into())));
        let (node, _) = tree(&OBJECT, &object(2), 0, Only::Everything);
        assert_eq!(
            node.to_string(),
            r#"{"magic":"OB","version":2,"runs":"runs","entries":[{"len":3,"kind":0,"inner":1,"key":"k","digest":null}],"entries_len":7,"crc":4252635296}"#
        );
        assert_eq!(
            format!("{:#}", node.get("entries").unwrap()),
            "[\n  {\n    \"len\": 3,\n    \"kind\": 0,\n    \"inner\": 1,\n    \"key\": \"k\",\n    \"digest\": null\n  }\n]"
        );
    }

    #[test]
    fn damaged_bytes_show_as_far_as_they_go() {
        let (node, stop) = tree(&FRAME, &frame(1, &[0, 7], b"hi")[..11], 2, Only::Everything);
        assert!(stop.is_some());
        assert_eq!(node.get("len"), Some(&Node::Uint(2)));
        assert_eq!(node.get("payload"), None);
    }

    #[test]
    fn strings_are_escaped() {
        let text = Node::Text("a\"\\\n\u{1b}\u{202e}\u{e0041}é".into());
        assert_eq!(text.to_string(), r#""a\"\\\n\u001b\u202e\udb40\udc41é""#);
        assert_eq!(
            Node::Bytes([0, 255].into()).to_string(),
            r#"{"hex":"00ff"}"#
        );
    }
}
