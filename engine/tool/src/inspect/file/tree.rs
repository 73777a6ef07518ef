//! The rows of an instance as JSON, as the walk finds them: nothing is held back, whatever number of entries there is.

use std::io;

use ondisk::tree::Node;
use ondisk::walk::{Field, Instance, Value, Visitor};

use crate::output::json::{Json, Layout, Null};

/// A walk that is written.
pub(super) struct Tree<'j, 'w> {
    json: &'j mut Json<'w>,
    open: Vec<Level>,
    failed: io::Result<()>,
}

/// What is open in an instance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Its object.
    Rows,
    /// A list in it.
    List,
    /// A key in it, whose instance comes next.
    Key,
}

impl<'j, 'w> Tree<'j, 'w> {
    pub(super) fn new(json: &'j mut Json<'w>) -> Self {
        Self {
            json,
            open: Vec::new(),
            failed: Ok(()),
        }
    }

    /// What writing came to.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failed
    }

    fn write(&mut self, write: impl FnOnce(&mut Json<'w>) -> io::Result<()>) {
        if self.failed.is_ok() {
            self.failed = write(self.json);
        }
    }

    /// Ends the list of the innermost instance, or gives a key its value.
    fn close(&mut self) {
        let Some(level) = self.open.last_mut() else {
            return;
        };
        match std::mem::replace(level, Level::Rows) {
            Level::Rows => {}
            Level::List => self.write(Json::end),
            Level::Key => self.write(|json| json.value(Null)),
        }
    }
}

impl<'a> Visitor<'a> for Tree<'_, '_> {
    fn enter(&mut self, instance: &Instance) {
        if let Some(level) = self.open.last_mut()
            && *level == Level::Key
        {
            *level = Level::Rows;
        }
        // An entry of a list stands in one line, with all that is in it.
        let layout = if instance.depth == 0 {
            Layout::Lines
        } else {
            Layout::Line
        };
        self.write(|json| json.object(layout));
        self.open.push(Level::Rows);
    }

    fn field(&mut self, field: &Field<'a>) {
        self.close();
        let name = field.row.name;
        let next = match field.value {
            Value::Tag(true) => return,
            Value::Tag(false) => None,
            Value::Absent if !(field.row.since..=field.row.until).contains(&field.version) => {
                return;
            }
            // Its tag said so.
            Value::Absent
                if matches!(field.row.presence, ondisk::describe::Presence::Tag { .. }) =>
            {
                return;
            }
            Value::Kind(_) => Some(Level::Key),
            Value::Entries { .. } => Some(Level::List),
            _ => None,
        };
        match next {
            Some(level) => {
                self.write(|json| json.key(name));
                if level == Level::List {
                    self.write(|json| json.list(Layout::Lines));
                }
                if let Some(open) = self.open.last_mut() {
                    *open = level;
                }
            }
            None => {
                let node = node(&field.value);
                self.write(|json| json.field(name, &node));
            }
        }
    }

    fn leave(&mut self, _: &Instance) {
        self.close();
        self.open.pop();
        self.write(Json::end);
    }
}

fn node(value: &Value<'_>) -> Node {
    match *value {
        Value::Uint(number) => Node::Uint(number),
        Value::Int(number) => Node::Int(number),
        Value::Bool(flag) => Node::Bool(flag),
        Value::Text(text) => Node::Text(text.to_owned()),
        Value::NotText(bytes) | Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if text.chars().all(ondisk::escape::is_harmless) => {
                Node::Text(text.to_owned())
            }
            _ => Node::Bytes(bytes.into()),
        },
        Value::Variant {
            known: Some(known), ..
        } => Node::Text(known.name.to_owned()),
        Value::Variant { raw, .. } => Node::Uint(raw),
        Value::Absent | Value::Tag(_) | Value::Kind(_) | Value::Entries { .. } => Node::Null,
    }
}
