//! Colours, on a terminal that wants them.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal};

use crate::args::Color;

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing is wrong.
    Good,
    /// Something is to be known.
    Notice,
    /// Something is wrong.
    Bad,
    /// A heading.
    Title,
    /// What the eye may skip.
    Quiet,
}

impl Tone {
    const fn code(self) -> &'static str {
        match self {
            Self::Good => "\x1b[32m",
            Self::Notice => "\x1b[33m",
            Self::Bad => "\x1b[1;31m",
            Self::Title => "\x1b[1m",
            Self::Quiet => "\x1b[2m",
        }
    }
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// As asked for; by itself only on a terminal that can show them, and not against `NO_COLOR`.
    pub(crate) fn choose(color: Color) -> Self {
        let on = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
                io::stdout().is_terminal() && !unwanted && !dumb
            }
        };
        Self { on }
    }

    /// `text` in a tone. What came from outside has been escaped before.
    pub(crate) fn tone<T: fmt::Display>(self, tone: Tone, text: T) -> Painted<T> {
        Painted {
            tone: self.on.then_some(tone),
            text,
        }
    }
}

/// Text in a tone.
pub(crate) struct Painted<T> {
    tone: Option<Tone>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tone {
            Some(tone) => write!(f, "{}{}\x1b[0m", tone.code(), self.text),
            None => self.text.fmt(f),
        }
    }
}
