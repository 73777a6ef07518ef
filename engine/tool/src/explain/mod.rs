//! Findings in sentences: what is wrong, why it is judged so, what an open does about it, what to do next.
//!
//! Each speaks of one segment or file, names every byte that would go and says what proves that it may.

mod cause;
mod findings;
mod refusal;
mod report;

use std::io::{self, Write};

use ondisk::felix::name::SegmentFile;

use crate::output::{Out, Tone};

pub(crate) use cause::{is_rotten, meaning, short as short_cause};
pub(crate) use findings::findings;

/// One finding.
pub(crate) struct Finding {
    /// Its name in reports, or what an open is refused with.
    pub(crate) name: String,
    /// What it is about.
    pub(crate) subject: String,
    /// What is to be known, a sentence or some each.
    pub(crate) sentences: Vec<String>,
    /// What to do.
    pub(crate) next: Vec<String>,
}

impl Finding {
    /// Shows it.
    pub(crate) fn show(&self, out: &mut Out<'_>, tone: Tone) -> io::Result<()> {
        let name = out.paint.tone(tone, &self.name);
        writeln!(out, "  {name}  {}", self.subject)?;
        for sentence in &self.sentences {
            out.paragraph(4, sentence)?;
        }
        for next in &self.next {
            // A command is to be copied, so it stays in its line.
            writeln!(out, "    next: {next}")?;
        }
        Ok(())
    }
}

/// A segment by its number, as its files are named.
pub(crate) fn segment(id: u64) -> String {
    format!("segment {id:020}")
}

/// The file of a segment.
pub(crate) fn log(id: u64) -> SegmentFile {
    SegmentFile::Log { id }
}
