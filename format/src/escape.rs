//! Text that came from outside, made harmless to a terminal and to a reader.
//!
//! Names, keys and payloads are hostile until shown otherwise: control characters drive terminals, bidirectional controls
//! and invisible characters make one text look like another. All of them are written as escapes, and so are the quote
//! and the backslash, so that what is shown stands for one input only.

use core::fmt::{self, Write};

/// Bytes, shown as text where they are text and as `\xNN` where they are not.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a> {
    bytes: &'a [u8],
    most: usize,
}

/// Shows text.
#[must_use]
pub const fn text(text: &str) -> Escaped<'_> {
    bytes(text.as_bytes())
}

/// Shows bytes that may be text.
#[must_use]
pub const fn bytes(bytes: &[u8]) -> Escaped<'_> {
    Escaped {
        bytes,
        most: usize::MAX,
    }
}

impl Escaped<'_> {
    /// Shows at most so many bytes, and how many more there are. A character is not cut.
    #[must_use]
    pub const fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = 0;
        for chunk in self.bytes.utf8_chunks() {
            for char in chunk.valid().chars() {
                if shown + char.len_utf8() > self.most {
                    return more(f, self.bytes.len() - shown);
                }
                shown += char.len_utf8();
                escape(f, char)?;
            }
            for byte in chunk.invalid() {
                if shown + 1 > self.most {
                    return more(f, self.bytes.len() - shown);
                }
                shown += 1;
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

fn more(f: &mut fmt::Formatter<'_>, left: usize) -> fmt::Result {
    write!(f, "… {left} more")
}

fn escape(f: &mut fmt::Formatter<'_>, char: char) -> fmt::Result {
    match char {
        '"' | '\\' => write!(f, "\\{char}"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        char if is_harmless(char) => f.write_char(char),
        char => write!(f, "\\u{{{:x}}}", u32::from(char)),
    }
}

/// Whether a character shows as itself and leaves what stands around it alone.
#[must_use]
pub fn is_harmless(char: char) -> bool {
    !char.is_control()
        && !matches!(
            char,
            // Soft hyphen, Arabic letter mark, Hangul and Mongolian fillers: invisible.
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}'
            // Zero width, direction marks, separators of lines, bidirectional embeddings.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            // Word joiner, invisible operators, bidirectional isolates.
            | '\u{2060}'..='\u{206f}'
            // Byte order mark, interlinear annotations.
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tags.
            | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn what_drives_a_terminal_or_hides_is_escaped() {
        for (from, shown) in [
            (&b"plain caf\xc3\xa9"[..], "plain café"),
            (b"", ""),
            (b"a\x1b[2Jb", "a\\u{1b}[2Jb"),
            (b"a\0\n\t\r\x7f", "a\\u{0}\\n\\t\\r\\u{7f}"),
            (b"quote \" and \\", "quote \\\" and \\\\"),
            (b"\xff\xfe ok \xe2\x82", "\\xff\\xfe ok \\xe2\\x82"),
            ("abc\u{202e}txt.exe".as_bytes(), "abc\\u{202e}txt.exe"),
            (
                "\u{feff}a\u{200b}b\u{2066}".as_bytes(),
                "\\u{feff}a\\u{200b}b\\u{2066}",
            ),
            ("\u{9b}31m".as_bytes(), "\\u{9b}31m"),
        ] {
            assert_eq!(bytes(from).to_string(), shown);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(text("abcdef").at_most(6).to_string(), "abcdef");
        assert_eq!(text("abcdef").at_most(4).to_string(), "abcd… 2 more");
        assert_eq!(text("aé").at_most(2).to_string(), "a… 2 more");
        assert_eq!(bytes(b"\xff\xff").at_most(1).to_string(), "\\xff… 1 more");
    }
}
