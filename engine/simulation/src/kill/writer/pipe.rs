//! The way to the parent.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

use crate::kill::said::{Line, Place, Said};

/// A pipe to the parent, without a buffer: what was said lies in the kernel, whatever becomes of who said it.
#[derive(Debug)]
pub struct Pipe(File);

impl Pipe {
    /// The standard output.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_stdout() -> io::Result<Self> {
        let to = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Self(to.into()))
    }

    /// Says a line, in one write.
    pub fn say(&self, line: &Line) {
        let text = format!("{line}\n");
        if (&self.0).write_all(text.as_bytes()).is_err() {
            // The parent is gone, and nobody is left to write for.
            std::process::exit(1);
        }
    }

    /// Says something of a shard.
    pub fn of(&self, place: Place, said: Said) {
        self.say(&Line::Shard(place, said));
    }

    /// Says why it cannot go on.
    pub fn fail(&self, why: String) {
        self.say(&Line::Failed(why));
    }
}
