//! The progress bar, for whoever waits at a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Bytes done of those to be done. Shown on the error stream, and only where that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Nothing is done yet.
    pub(crate) fn new(bytes: u64) -> Self {
        if !io::stderr().is_terminal() {
            return Self {
                bar: ProgressBar::hidden(),
            };
        }
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr_with_hz(8));
        let template =
            "{bar:30} {percent:>3}%  {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    /// More is to be done.
    pub(crate) fn more(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    /// So many more bytes are done.
    pub(crate) fn done(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Writes something while the bar is out of the way.
    pub(crate) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Makes room for what is written.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
