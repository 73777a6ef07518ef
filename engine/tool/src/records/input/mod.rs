//! Records on their way in: whole ones are taken from what was read so far, the rest waits for more.

use std::borrow::Cow;

use ondisk::felix::MAX_PAYLOAD_BYTES;
use serde_json::Value;

use super::base64;
use crate::args::Format;
use crate::output::words;

/// A record that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input<'b> {
    /// When it was published, if that was said.
    pub(crate) timestamp_micros: Option<u64>,
    /// What it holds.
    pub(crate) payload: Cow<'b, [u8]>,
}

/// Finds records in a stream of bytes.
#[derive(Debug)]
pub(crate) struct Splitter {
    format: Format,
    /// Records that were taken.
    taken: u64,
    /// Bytes at the front in which no line feed was found.
    searched: usize,
}

/// Bytes of the longest line: a payload of the longest kind, each byte of it spelled out.
const LONGEST_LINE: usize = MAX_PAYLOAD_BYTES as usize * 6 + 1024;

/// Bytes ahead of the payload in a frame.
const FRAME_HEADER: usize = 12;

impl Splitter {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            taken: 0,
            searched: 0,
        }
    }

    /// Takes the next record from the front of `bytes`, and says how many bytes it took; none when it is not whole yet.
    /// With `end` nothing comes behind them.
    ///
    /// # Errors
    /// What is wrong, and with which record.
    pub(crate) fn next<'b>(
        &mut self,
        bytes: &'b [u8],
        end: bool,
    ) -> Result<Option<(Input<'b>, usize)>, String> {
        let next = match self.format {
            Format::Frames => frame(bytes, end),
            Format::Lines | Format::Json | Format::Base64 => self.line(bytes, end),
        };
        match next {
            Ok(next) => {
                self.taken += u64::from(next.is_some());
                Ok(next)
            }
            Err(what) => {
                let noun = match self.format {
                    Format::Frames => "frame",
                    _ => "line",
                };
                Err(format!("{noun} {} {what}", self.taken + 1))
            }
        }
    }

    fn line<'b>(
        &mut self,
        bytes: &'b [u8],
        end: bool,
    ) -> Result<Option<(Input<'b>, usize)>, String> {
        let searched = self.searched.min(bytes.len());
        let found = bytes[searched..].iter().position(|&byte| byte == b'\n');
        let (line, took) = match found {
            Some(at) => (&bytes[..searched + at], searched + at + 1),
            None if end && !bytes.is_empty() => (bytes, bytes.len()),
            None if bytes.len() > LONGEST_LINE => return Err("is too long".to_owned()),
            None => {
                self.searched = bytes.len();
                return Ok(None);
            }
        };
        self.searched = 0;
        let input = match self.format {
            Format::Json => object(line)?,
            Format::Base64 => stamped(line)?,
            Format::Lines | Format::Frames => Input {
                timestamp_micros: None,
                payload: line.into(),
            },
        };
        refuse_long(input.payload.len())?;
        Ok(Some((input, took)))
    }
}

fn refuse_long(len: usize) -> Result<(), String> {
    if len > MAX_PAYLOAD_BYTES as usize {
        return Err(format!("has a payload of {len} bytes, more than 64 MiB"));
    }
    Ok(())
}

fn frame(bytes: &[u8], end: bool) -> Result<Option<(Input<'_>, usize)>, String> {
    let cut_off = |missing: bool| match end && missing {
        true => Err("is cut off".to_owned()),
        false => Ok(None),
    };
    let Some((header, rest)) = bytes.split_first_chunk::<FRAME_HEADER>() else {
        return cut_off(!bytes.is_empty());
    };
    let [l0, l1, l2, l3, stamp @ ..] = *header;
    let len = u32::from_be_bytes([l0, l1, l2, l3]) as usize;
    refuse_long(len)?;
    let Some(payload) = rest.get(..len) else {
        return cut_off(true);
    };
    let input = Input {
        timestamp_micros: Some(u64::from_be_bytes(stamp)),
        payload: payload.into(),
    };
    Ok(Some((input, FRAME_HEADER + len)))
}

/// `TIMESTAMP BASE64`, or base64 alone.
fn stamped(line: &[u8]) -> Result<Input<'_>, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let space = line.iter().position(|&byte| byte == b' ');
    let (stamp, text) = match space {
        Some(at) => (Some(&line[..at]), &line[at + 1..]),
        None => (None, line),
    };
    let timestamp_micros = match stamp {
        Some(stamp) => {
            let number = std::str::from_utf8(stamp)
                .ok()
                .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|text| text.parse().ok());
            Some(number.ok_or("does not begin with a timestamp in microseconds")?)
        }
        None => None,
    };
    let payload = base64::decode(text).ok_or("is no base64")?;
    Ok(Input {
        timestamp_micros,
        payload: payload.into(),
    })
}

/// An object with a payload.
fn object(line: &[u8]) -> Result<Input<'static>, String> {
    let value: Value =
        serde_json::from_slice(line).map_err(|error| format!("is no JSON: {error}"))?;
    let Value::Object(fields) = value else {
        return Err("is no object".to_owned());
    };
    let (mut timestamp_micros, mut payload) = (None, None);
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("timestamp_micros", Value::Null) => {}
            ("timestamp_micros", value) => {
                timestamp_micros = Some(
                    value
                        .as_u64()
                        .ok_or("has a timestamp_micros that is no whole number of 64 bits")?,
                );
            }
            ("payload" | "payload_base64", _) if payload.is_some() => {
                return Err("has both payload and payload_base64".to_owned());
            }
            ("payload", Value::String(text)) => payload = Some(text.into_bytes()),
            ("payload_base64", Value::String(text)) => {
                let decoded = base64::decode(text.as_bytes());
                payload = Some(decoded.ok_or("has a payload_base64 that is no base64")?);
            }
            ("payload" | "payload_base64", _) => {
                return Err(format!("has a {key} that is no text"));
            }
            ("offset", _) => {}
            ("mark", Value::String(mark)) if mark == "ordinary" => {}
            ("mark", _) => {
                return Err("is a record of a producer or of a leader, which only those append; without its mark it is an \
                            ordinary one"
                    .to_owned());
            }
            (key, _) => {
                return Err(format!(
                    "has an unknown field {}",
                    words::name(key.as_ref())
                ));
            }
        }
    }
    Ok(Input {
        timestamp_micros,
        payload: payload.ok_or("has no payload")?.into(),
    })
}

#[cfg(test)]
mod tests;
