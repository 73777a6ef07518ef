//! The stream marker (Felix 11.10): a text kind, its codec written by hand.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::checksum::crc32;
use crate::describe::{Class, Endian, Shape, Trailing, Versions};
use crate::encode::Encode;
use crate::error::{EncodeError, Error, Fail, Fault};
use crate::format::{Cx, FULL, Format, open_whole, walk_by_hand};
use crate::{FeatureLevels, Kind, WriteVersion};

/// The longest marker that is read, in bytes.
const MAX_BYTES: usize = 256;

/// The word that begins a marker.
const FIRST_WORD: &str = "felix-stream-marker";

/// Which incarnation of a stream is held, and what of it is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamMarker {
    /// The incarnation held; 0 is an old stream.
    pub incarnation: Option<u64>,
    /// A delete of it began and is unfinished.
    pub deleting: bool,
    /// Every incarnation up to it is deleted.
    pub deleted_through: Option<u64>,
}

/// A validated look at the bytes of a [`StreamMarker`]: three values, since text must be parsed.
#[derive(Clone, Copy, Debug)]
pub struct StreamMarkerView<'a> {
    incarnation: Option<u64>,
    deleting: bool,
    deleted_through: Option<u64>,
    text: &'a str,
}

impl<'a> StreamMarkerView<'a> {
    /// The incarnation held; 0 is an old stream.
    #[must_use]
    pub const fn incarnation(&self) -> Option<u64> {
        self.incarnation
    }

    /// A delete of it began and is unfinished.
    #[must_use]
    pub const fn deleting(&self) -> bool {
        self.deleting
    }

    /// Every incarnation up to it is deleted.
    #[must_use]
    pub const fn deleted_through(&self) -> Option<u64> {
        self.deleted_through
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The value that the text holds.
    #[must_use]
    pub const fn to_value(&self) -> StreamMarker {
        let Self {
            incarnation,
            deleting,
            deleted_through,
            ..
        } = *self;
        StreamMarker {
            incarnation,
            deleting,
            deleted_through,
        }
    }
}

impl StreamMarker {
    /// The description of this kind.
    pub const KIND: &'static Kind = <Self as Format>::KIND;

    /// Makes every check on `bytes`, which must be exactly one of this kind.
    ///
    /// # Errors
    /// The first check that fails: length, ASCII, lines, version, the words and values of lines 2 to 4, checksum.
    pub fn view(bytes: &[u8]) -> Result<StreamMarkerView<'_>, Error> {
        open_whole::<Self, FULL>(bytes, 0)
    }

    /// Appends the text.
    ///
    /// # Errors
    /// None today; markers of any content can be written.
    pub fn encode(&self, _: WriteVersion<Self>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.encode_at(1, out)
    }

    /// The version written by default under `levels`.
    #[must_use]
    pub fn write_version(levels: &FeatureLevels<'_>) -> WriteVersion<Self> {
        WriteVersion::default_under(levels)
    }

    /// Lines 1 to 4.
    fn body(&self) -> String {
        let number = |number: Option<u64>| {
            number.map_or_else(|| String::from("none"), |n| format!("{n:016x}"))
        };
        let deleting = if self.deleting { "yes" } else { "no" };
        format!(
            "{FIRST_WORD} 1\nincarnation {}\ndeleting {deleting}\ndeleted-through {}\n",
            number(self.incarnation),
            number(self.deleted_through),
        )
    }
}

/// What is wrong, and at which byte.
type Refusal = (usize, Fault);

const fn refused(at: usize, rule: &'static str, found: u64) -> Refusal {
    (at, Fault::Refused { rule, found })
}

fn parse(input: &[u8]) -> Result<StreamMarkerView<'_>, Refusal> {
    if input.len() > MAX_BYTES {
        return Err((
            0,
            Fault::TooLarge {
                found: input.len() as u64,
                limit: MAX_BYTES as u64,
            },
        ));
    }
    if let Some(at) = input.iter().position(|byte| !byte.is_ascii()) {
        return Err(refused(
            at,
            "a marker is ASCII",
            input.get(at).copied().unwrap_or_default().into(),
        ));
    }
    let text = core::str::from_utf8(input).map_err(|_| refused(0, "a marker is ASCII", 0))?;
    let count = text.bytes().filter(|&byte| byte == b'\n').count();
    if count != 5 || !text.ends_with('\n') {
        return Err(refused(
            0,
            "a marker has five lines, each with its line feed",
            count as u64,
        ));
    }
    let (mut at, mut lines) = (0, text.split_inclusive('\n'));
    let mut next = |word: &str| -> Result<(usize, &str), Refusal> {
        let line = lines.next().unwrap_or_default();
        let begin = at;
        at += line.len();
        let value = line
            .strip_prefix(word)
            .and_then(|rest| rest.strip_prefix(' '))
            .and_then(|rest| rest.strip_suffix('\n'));
        value
            .map(|value| (begin, value))
            .ok_or_else(|| refused(begin, "a line is its word, one space and its value", 0))
    };
    let (begin, version) = next(FIRST_WORD)?;
    if version != "1" {
        let number = (!version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()))
            .then(|| version.parse().unwrap_or(u32::MAX));
        return Err(match number {
            Some(found) => (
                begin,
                Fault::Version {
                    found,
                    min: 1,
                    max: 1,
                },
            ),
            None => refused(begin, "the first line ends in the version", 0),
        });
    }
    let incarnation = {
        let (begin, value) = next("incarnation")?;
        optional(begin, value)?
    };
    let (begin, value) = next("deleting")?;
    let deleting = match value {
        "yes" => true,
        "no" => false,
        _ => return Err(refused(begin, "deleting is yes or no", 0)),
    };
    let deleted_through = {
        let (begin, value) = next("deleted-through")?;
        optional(begin, value)?
    };
    let (begin, value) = next("crc32")?;
    let stored =
        hex(value, 8).ok_or_else(|| refused(begin, "crc32 is 8 lower-case hex digits", 0))?;
    let computed = crc32(0, input.get(..begin).unwrap_or_default()).into();
    if stored != computed {
        return Err((
            begin,
            Fault::Checksum {
                expected: stored,
                found: computed,
            },
        ));
    }
    Ok(StreamMarkerView {
        incarnation,
        deleting,
        deleted_through,
        text,
    })
}

fn optional(begin: usize, value: &str) -> Result<Option<u64>, Refusal> {
    if value == "none" {
        return Ok(None);
    }
    hex(value, 16).map(Some).ok_or_else(|| {
        refused(
            begin,
            "an incarnation is none or 16 lower-case hex digits",
            0,
        )
    })
}

/// A number of exactly so many lower-case hex digits.
fn hex(value: &str, digits: usize) -> Option<u64> {
    let lower = value.len() == digits
        && value
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if lower {
        u64::from_str_radix(value, 16).ok()
    } else {
        None
    }
}

impl Format for StreamMarker {
    type View<'b> = StreamMarkerView<'b>;
    type Value<'b> = Self;
    type Layout = [u8; 0];
    type Versioned = Self;
    const KIND: &'static Kind = &Kind {
        name: "StreamMarker",
        module: core::module_path!(),
        doc: "Which incarnation of a stream is held, and what of it is deleted.",
        shape: Shape::Text {
            lines: &[
                "felix-stream-marker 1",
                "incarnation none, or 16 lower-case hex digits: the incarnation held (0: an old stream)",
                "deleting yes or no: a delete of it began and is unfinished",
                "deleted-through none, or 16 lower-case hex digits: every incarnation up to it is deleted",
                "crc32 8 lower-case hex digits: CRC-32 over lines 1 to 4 with their line feeds",
            ],
            walk: walk_by_hand::<Self>,
        },
        file: Some(".streams/{marker}"),
        head_of: None,
        whole: true,
        class: Some(Class::Authoritative),
        endian: Endian::Big,
        versions: Some(Versions {
            min: 1,
            max: 1,
            writes: 1,
            adopt: false,
            gates: &[],
        }),
        version_of: None,
        trailing: Trailing::Refuse,
        canonical: true,
        size: None,
        min: 5,
        steps: &[],
    };
    const MIN: usize = 5;
    const SIZE: Option<usize> = None;
    const DEPTH: usize = 0;

    fn open<'b, E: Fail, const LEVEL: u8>(
        input: &'b [u8],
        at: usize,
        _: Cx,
    ) -> Result<(StreamMarkerView<'b>, usize), E> {
        match parse(input) {
            Ok(view) => Ok((view, input.len())),
            Err((begin, fault)) => Err(E::fail(|| {
                Error::new(Self::KIND, u16::MAX, at.saturating_add(begin), fault)
            })),
        }
    }

    fn value(view: Self::View<'_>) -> Self::Value<'_> {
        view.to_value()
    }
}

impl Encode for StreamMarker {
    fn encoded_len_at(&self, _: u32) -> usize {
        self.body().len() + "crc32 00000000\n".len()
    }

    fn encode_at(&self, _: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let body = self.body();
        out.extend_from_slice(body.as_bytes());
        out.extend_from_slice(format!("crc32 {:08x}\n", crc32(0, body.as_bytes())).as_bytes());
        Ok(())
    }

    fn rewrite(view: Self::View<'_>, version: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        view.to_value().encode_at(version, out)
    }
}

#[cfg(feature = "arbitrary")]
impl crate::arbitrary::Generate for StreamMarker {
    fn generate(
        from: &mut arbitrary::Unstructured<'_>,
        version: u32,
    ) -> arbitrary::Result<Result<Vec<u8>, EncodeError>> {
        let marker = Self {
            incarnation: from.arbitrary()?,
            deleting: from.arbitrary()?,
            deleted_through: from.arbitrary()?,
        };
        let mut bytes = Vec::new();
        Ok(marker.encode_at(version, &mut bytes).map(|()| bytes))
    }
}
