//! A program without the standard library, and without an allocator unless the feature `alloc` is on. It brings its own
//! panic handler, so it does not compile if anything below it brings that of `std`; it brings no allocator, so it does not
//! link if anything below it allocates.
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use ondisk::{Error, Fault, Format, Stream, format};

/// What a note is about.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 2)]
pub enum About {
    /// Nothing.
    Nothing = 0,
    /// Something.
    Something = 2,
}

/// A place.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Across.
    pub x: u16,
    /// Up.
    #[format(max = 100)]
    pub y: u16,
}

/// Rows of every size that need no memory.
#[format(le, reads = 1..=2, check = says_something)]
#[derive(Clone, Debug, PartialEq)]
pub struct Note<'a> {
    /// `NOTE`.
    #[format(magic = b"NOTE")]
    magic: [u8; 4],
    /// 2 has places.
    #[format(version)]
    version: u16,
    /// What it is about, and how long it is.
    #[format(word)]
    word: u16,
    /// What it is about.
    #[format(bits = 14..=15)]
    pub about: About,
    /// Bytes of the text.
    #[format(bits = 0..=13, len(text), max = 1000)]
    text_len: u16,
    /// Over the head.
    #[format(crc32c(..head_crc))]
    head_crc: u32,
    /// Where.
    #[format(since = 2)]
    pub place: Option<Place>,
    /// How often.
    #[format(uvarint)]
    pub times: u32,
    /// What.
    pub text: &'a str,
    /// Over all before it.
    #[format(crc64(..crc))]
    crc: u64,
}

fn says_something(view: &NoteView<'_>) -> Result<(), Fault> {
    if view.about() == About::Something && view.text().is_empty() {
        return Err(Fault::Refused {
            rule: "something is said",
            found: 0,
        });
    }
    Ok(())
}

/// The text of a note.
///
/// # Errors
/// Bytes that are not one.
pub fn text(bytes: &[u8]) -> Result<&str, Error> {
    Note::view(bytes).map(|view| view.text())
}

/// The value of a note, which borrows from its bytes.
///
/// # Errors
/// Bytes that are not one.
pub fn value(bytes: &[u8]) -> Result<Note<'_>, Error> {
    Note::view(bytes).map(|view| view.to_value())
}

/// The notes in some bytes.
#[must_use]
pub fn notes(bytes: &[u8]) -> Stream<'_, Note<'_>> {
    Note::stream(bytes)
}

#[cfg(feature = "alloc")]
mod owned {
    extern crate alloc;

    use alloc::string::String;
    use alloc::vec::Vec;

    use ondisk::{EncodeError, FeatureLevels, Format, format};

    /// What owns its rows.
    #[format(whole)]
    #[derive(Clone, Debug, PartialEq)]
    pub struct Owned {
        /// Bytes of the name.
        #[format(len(name))]
        len: u8,
        /// A name.
        pub name: String,
        /// To the end.
        pub places: Vec<super::Place>,
    }

    /// A kind that is all in its value.
    #[derive(Format, Clone, Debug, PartialEq)]
    pub struct Pair {
        /// A place.
        pub place: super::Place,
    }

    /// Writes them.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn write(
        owned: &Owned,
        note: &super::Note<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        owned.encode(out)?;
        note.encode(super::Note::write_version(&FeatureLevels::NONE), out)
    }
}

#[cfg(feature = "alloc")]
pub use owned::{Owned, Pair, write};

#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
