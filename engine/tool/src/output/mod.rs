//! What goes out: text for a person, JSON for a script.
//!
//! Everything is written as it is found; nothing is collected that grows with the input. Whatever came from a file or a
//! name passes [`words`] or [`json`] on its way, so that no byte of it reaches a terminal as a control.

pub(crate) mod json;
mod paint;
pub(crate) mod progress;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod words;

use std::io::{self, IsTerminal, Write};

use rustix::termios::tcgetwinsize;

pub(crate) use paint::{Paint, Tone};

/// Where text for a person goes.
pub(crate) struct Out<'w> {
    to: &'w mut dyn Write,
    /// Colours, if they are wanted.
    pub(crate) paint: Paint,
    /// Columns that a line may take.
    pub(crate) width: usize,
}

/// Columns of a line where nobody says how wide it may be.
const WIDTH: usize = 100;

impl<'w> Out<'w> {
    pub(crate) fn new(to: &'w mut dyn Write, paint: Paint) -> Self {
        Self {
            to,
            paint,
            width: width(),
        }
    }

    /// To memory, to look as it would elsewhere.
    pub(crate) fn to_buffer(to: &'w mut Vec<u8>, paint: Paint, width: usize) -> Self {
        Self { to, paint, width }
    }

    /// A paragraph, broken at spaces; every line begins with `indent` spaces.
    pub(crate) fn paragraph(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let room = self.width.saturating_sub(indent).max(20);
        for line in words::wrap(text, room) {
            writeln!(self.to, "{:indent$}{line}", "")?;
        }
        Ok(())
    }

    /// A title and what it is about: `name` in bold in a column of its own.
    pub(crate) fn fact(&mut self, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
        let name = format!("{name:<12}");
        writeln!(
            self.to,
            "{} {value}",
            self.paint.tone(Tone::Quiet, name.as_str())
        )
    }

    /// A heading behind an empty line.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.to, "\n{}", self.paint.tone(Tone::Title, text))
    }
}

impl Write for Out<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.to.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn width() -> usize {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return WIDTH;
    }
    tcgetwinsize(&stdout).map_or(WIDTH, |size| usize::from(size.ws_col).clamp(40, 140))
}
