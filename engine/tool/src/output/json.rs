//! One JSON document, written as it is found.
//!
//! Nothing is held back: a list of millions of records takes no more memory than one of them. Strings are escaped for a
//! terminal too, so that a document on a screen is as harmless as in a file; a parser reads back what was there.

use std::fmt;
use std::io::{self, Write};

use ondisk::tree::Node;

/// How what is inside a list or an object is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A line each.
    Lines,
    /// All on one line.
    Line,
}

/// A document being written.
pub(crate) struct Json<'w> {
    to: &'w mut dyn Write,
    open: Vec<Level>,
    /// A key was written and its value comes next.
    keyed: bool,
    /// Levels that the whole document stands in already.
    indent: usize,
}

struct Level {
    close: char,
    layout: Layout,
    empty: bool,
}

impl<'w> Json<'w> {
    pub(crate) fn new(to: &'w mut dyn Write) -> Self {
        Self::indented(to, 0)
    }

    /// A value that stands in `indent` levels of another document.
    pub(crate) fn indented(to: &'w mut dyn Write, indent: usize) -> Self {
        Self {
            to,
            open: Vec::new(),
            keyed: false,
            indent,
        }
    }

    /// Begins an object.
    pub(crate) fn object(&mut self, layout: Layout) -> io::Result<()> {
        self.begin('{', '}', layout)
    }

    /// Begins a list.
    pub(crate) fn list(&mut self, layout: Layout) -> io::Result<()> {
        self.begin('[', ']', layout)
    }

    /// Ends the innermost object or list.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let Some(level) = self.open.pop() else {
            return Ok(());
        };
        if level.layout == Layout::Lines && !level.empty {
            self.line()?;
        }
        write!(self.to, "{}", level.close)
    }

    /// Ends what was begun inside the outermost `levels` and could not be gone on with.
    pub(crate) fn close_to(&mut self, levels: usize) -> io::Result<()> {
        if std::mem::take(&mut self.keyed) {
            self.to.write_all(b"null")?;
        }
        while self.open.len() > levels {
            self.end()?;
        }
        Ok(())
    }

    /// The key of the value that comes next.
    pub(crate) fn key(&mut self, key: &str) -> io::Result<()> {
        self.separate()?;
        string(self.to, key)?;
        self.keyed = true;
        self.to.write_all(b": ")
    }

    /// A value of its own.
    pub(crate) fn value(&mut self, value: impl Value) -> io::Result<()> {
        self.separate()?;
        value.write(self.to)
    }

    /// A key and its value.
    pub(crate) fn field(&mut self, key: &str, value: impl Value) -> io::Result<()> {
        self.key(key)?;
        self.value(value)
    }

    /// A value that was written elsewhere, by [`Json::indented`].
    pub(crate) fn written(&mut self, value: &[u8]) -> io::Result<()> {
        self.separate()?;
        self.to.write_all(value)
    }

    /// How many levels are open.
    pub(crate) fn depth(&self) -> usize {
        self.indent + self.open.len()
    }

    /// The line feed behind the document.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.to.write_all(b"\n")?;
        self.to.flush()
    }

    fn begin(&mut self, open: char, close: char, layout: Layout) -> io::Result<()> {
        self.separate()?;
        let outer = self.open.last().map_or(Layout::Lines, |level| level.layout);
        // What stands in one line stays in it.
        let layout = if outer == Layout::Line { outer } else { layout };
        self.open.push(Level {
            close,
            layout,
            empty: true,
        });
        write!(self.to, "{open}")
    }

    fn separate(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.keyed) {
            return Ok(());
        }
        let Some(level) = self.open.last_mut() else {
            return Ok(());
        };
        let (first, layout) = (std::mem::replace(&mut level.empty, false), level.layout);
        match (layout, first) {
            (Layout::Line, true) => Ok(()),
            (Layout::Line, false) => self.to.write_all(b", "),
            (Layout::Lines, true) => self.line(),
            (Layout::Lines, false) => {
                self.to.write_all(b",")?;
                self.line()
            }
        }
    }

    fn line(&mut self) -> io::Result<()> {
        let spaces = self.depth();
        write!(self.to, "\n{:spaces$}", "")
    }
}

/// What can stand in a document without being one of its levels.
pub(crate) trait Value {
    /// Writes it.
    fn write(&self, to: &mut dyn Write) -> io::Result<()>;
}

macro_rules! as_it_displays {
    ($($ty:ty),*) => {$(
        impl Value for $ty {
            fn write(&self, to: &mut dyn Write) -> io::Result<()> {
                write!(to, "{self}")
            }
        }
    )*};
}

as_it_displays!(u8, u16, u32, u64, usize, i64, bool, &Node);

impl Value for &str {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        string(to, self)
    }
}

impl Value for &String {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        string(to, self)
    }
}

impl Value for String {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        string(to, self)
    }
}

impl<T: Value> Value for Option<T> {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        match self {
            Some(value) => value.write(to),
            None => to.write_all(b"null"),
        }
    }
}

/// What is neither there nor known.
pub(crate) struct Null;

impl Value for Null {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(b"null")
    }
}

fn string(to: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut adapter = Adapter { to, error: None };
    match ondisk::tree::string(&mut adapter, text) {
        Ok(()) => Ok(()),
        Err(fmt::Error) => Err(adapter.error.unwrap_or_else(|| io::ErrorKind::Other.into())),
    }
}

struct Adapter<'w> {
    to: &'w mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Adapter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.to.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, Layout, Null};

    fn written(write: impl FnOnce(&mut Json<'_>) -> std::io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut Json::new(&mut bytes)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_document() {
        let text = written(|json| {
            json.object(Layout::Lines)?;
            json.field("name", "a\"\u{1b}\u{202e}")?;
            json.key("list")?;
            json.list(Layout::Lines)?;
            for number in 0..2_u64 {
                json.object(Layout::Line)?;
                json.field("number", number)?;
                json.key("inner")?;
                json.list(Layout::Lines)?;
                json.value(true)?;
                json.value(Null)?;
                json.end()?;
                json.end()?;
            }
            json.end()?;
            json.key("empty")?;
            json.object(Layout::Lines)?;
            json.end()?;
            json.field("none", None::<u64>)?;
            json.end()
        });
        let expected = concat!(
            "{\n \"name\": \"a\\\"\\u001b\\u202e\",\n \"list\": [\n",
            "  {\"number\": 0, \"inner\": [true, null]},\n",
            "  {\"number\": 1, \"inner\": [true, null]}\n ],\n",
            " \"empty\": {},\n \"none\": null\n}",
        );
        assert_eq!(text, expected);
    }
}
