//! Records on their way out.

use std::io::{self, IsTerminal as _, Write};

use ondisk::escape;
use ondisk_engine::felix::log::{Mark, Record};

use super::base64;
use crate::args::Format;
use crate::failure::Failure;
use crate::output::json::{Json, Layout};

/// Writes records.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writer {
    format: Format,
    /// Nothing of a payload may reach a terminal as a control.
    escapes: bool,
}

impl Writer {
    /// To the standard output, whose terminal obeys nothing that stands in a payload unless the caller says so.
    pub(crate) fn to_stdout(format: Format, raw: bool) -> Result<Self, Failure> {
        let escapes = io::stdout().is_terminal() && !raw;
        if escapes && format == Format::Frames {
            return Err(Failure::usage(
                "frames are no text, and this is a terminal",
                "send them elsewhere, or say --raw",
            ));
        }
        Ok(Self { format, escapes })
    }

    /// Writes one.
    pub(crate) fn write(&self, record: &Record<'_>, to: &mut dyn Write) -> io::Result<()> {
        let (stamp, payload) = (record.timestamp_micros(), record.payload());
        match self.format {
            Format::Lines if self.escapes => writeln!(to, "{}", escape::bytes(payload)),
            Format::Lines => {
                to.write_all(payload)?;
                to.write_all(b"\n")
            }
            Format::Base64 => writeln!(to, "{stamp} {}", base64::encode(payload)),
            Format::Frames => {
                // No payload is longer than 64 MiB.
                let len = u32::try_from(payload.len()).map_err(|_| io::ErrorKind::InvalidData)?;
                to.write_all(&len.to_be_bytes())?;
                to.write_all(&stamp.to_be_bytes())?;
                to.write_all(payload)
            }
            Format::Json => object(record, to),
        }
    }
}

fn object(record: &Record<'_>, to: &mut dyn Write) -> io::Result<()> {
    let mut json = Json::new(to);
    json.object(Layout::Line)?;
    json.field("offset", record.offset())?;
    json.field("timestamp_micros", record.timestamp_micros())?;
    match record.mark() {
        Mark::Ordinary => {}
        Mark::Continues => json.field("mark", "continues")?,
        Mark::GenerationStart => json.field("mark", "generation_start")?,
        Mark::Opens(tag) => {
            json.key("mark")?;
            json.object(Layout::Line)?;
            json.field("producer_id", tag.producer_id)?;
            json.field("sequence", tag.sequence)?;
            json.field("len", tag.len)?;
            json.end()?;
        }
    }
    match std::str::from_utf8(record.payload()) {
        Ok(text) => json.field("payload", text)?,
        Err(_) => json.field("payload_base64", base64::encode(record.payload()))?,
    }
    json.end()?;
    to.write_all(b"\n")
}
