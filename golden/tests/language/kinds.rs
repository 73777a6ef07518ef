//! Kinds that say what the Felix kinds do not: little-endian rows, lengths in a foot, varints, nulls, words of flags,
//! rows that come and go with versions.

use ondisk::{Feature, Format, format};

/// Entries in front of a footer that says how long they are.
#[format(le, whole, reads = 1..=1, canonical)]
#[derive(Clone, Debug, PartialEq)]
pub struct Object<'a> {
    #[format(magic = b"OBJS")]
    magic: [u8; 4],
    #[format(version)]
    version: u16,
    /// Takes what the rows behind it leave.
    pub runs: &'a [u8],
    pub entries: Vec<Slice>,
    #[format(len(entries))]
    entries_len: u32,
    #[format(crc64(..crc))]
    crc: u64,
    #[format(magic = b"SJBO")]
    end: [u8; 4],
}

/// Where a run lies.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(le)]
pub struct Slice {
    pub id: u64,
    #[format(le, min = 1)]
    pub bytes: u32,
}

/// How a body is compressed.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 3)]
#[repr(u8)]
pub enum Codec {
    /// Not at all.
    Plain = 0,
    /// LZ4.
    Lz4 = 3,
    /// Anything newer is kept as it is.
    #[format(other)]
    Other(u8),
}

/// A frame that says how long it is, with a checksum that begins behind itself.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Frame<'a> {
    pub base: i64,
    #[format(len(epoch..), min = 15)]
    length: i32,
    pub epoch: i32,
    #[format(magic = 2)]
    magic: i8,
    #[format(crc32c(attributes..))]
    crc: u32,
    #[format(word)]
    attributes: i16,
    #[format(bits = 3..=15)]
    pub flags: u16,
    #[format(bits = 0..=2)]
    pub codec: Codec,
    #[format(count(notes))]
    notes_count: i32,
    pub notes: Vec<Note<'a>>,
}

/// Varints, and a key that may be null.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Note<'a> {
    #[format(varint, len(attributes..))]
    length: i32,
    pub attributes: i8,
    #[format(varint)]
    pub delta: i64,
    #[format(varint, len(key), null = -1)]
    key_len: i32,
    pub key: Option<&'a [u8]>,
    #[format(uvarint, len(name), null = 0, bias = 1)]
    name_len: u32,
    pub name: Option<&'a str>,
}

/// Version 2 of [`Story`].
pub const STORIES: Feature = Feature::new("stories", 1);

/// Rows that come, go, and may be absent.
#[format(file = "story", reads = 1..=3, writes = 1, gate(2 = STORIES), gate(3 = STORIES), derived)]
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    #[format(version)]
    version: u8,
    #[format(until = 1)]
    pub old: Option<u32>,
    #[format(since = 2)]
    pub new: Option<u16>,
    pub mode: Mode,
    #[format(when = mode == Mode::Long)]
    pub chapters: Option<u32>,
    #[format(tag)]
    pub place: Option<Place>,
    #[format(tag = fixed)]
    pub digest: Option<u64>,
    #[format(len(title), max = 300)]
    title_len: u16,
    pub title: String,
    #[format(crc32(..crc))]
    crc: u32,
}

/// Of which sort a story is.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u8)]
pub enum Mode {
    /// Short.
    Short = 1,
    /// Long.
    Long = 2,
    /// Without an end; new in version 3.
    #[format(since = 3)]
    Endless = 9,
}

/// Where it takes place: there since version 2 with a height.
#[format(version_of = Story)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub x: i16,
    pub y: i16,
    #[format(since = 2)]
    pub height: Option<u8>,
}

ondisk::registry! {
    /// Every kind of this test.
    pub static KINDS: [Object<'static>, Slice, Frame<'static>, Note<'static>, Story, Place];
}
