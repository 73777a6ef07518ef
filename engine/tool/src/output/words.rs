//! Small words: names, paths, numbers of things. All that came from outside is made harmless here.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ondisk::escape;

/// A path as one word: as it is where it shows as itself, in quotes and escaped where it does not.
pub(crate) fn path(path: &Path) -> String {
    name(path.as_os_str())
}

/// A name as one word.
pub(crate) fn name(name: &OsStr) -> String {
    let plain = |char: char| {
        escape::is_harmless(char) && !char.is_whitespace() && !matches!(char, '"' | '\\')
    };
    match name.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => text.to_owned(),
        _ => quoted(name.as_bytes()),
    }
}

/// A name as a string of JSON, which escapes what is left: only what is no text is spelled out.
pub(crate) fn json_name(name: &OsStr) -> String {
    match name.to_str() {
        Some(text) => text.to_owned(),
        None => escape::bytes(name.as_bytes()).to_string(),
    }
}

/// Bytes in quotes, escaped.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", escape::bytes(bytes))
}

/// What was written elsewhere and may hold a name: on its way to a terminal all the same.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if escape::is_harmless(char) {
            shown.push(char);
        } else {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(char));
        }
    }
    shown
}

/// The most bytes of a payload, a key or a value that a line shows.
const MOST_SHOWN: usize = 48;

/// A payload or a value in a line: text in quotes where a person can read it, hex where not.
pub(crate) fn glimpse(bytes: &[u8]) -> String {
    let readable = std::str::from_utf8(bytes).is_ok_and(|text| {
        let strange = text.chars().filter(|&char| !escape::is_harmless(char));
        strange.take(bytes.len() / 8 + 1).count() * 8 <= bytes.len()
    });
    if readable {
        return format!("\"{}\"", escape::bytes(bytes).at_most(MOST_SHOWN));
    }
    let mut shown = String::new();
    for byte in bytes.iter().take(MOST_SHOWN / 2) {
        let _ = write!(shown, "{byte:02x}");
    }
    if let Some(left @ 1..) = bytes.len().checked_sub(MOST_SHOWN / 2) {
        let _ = write!(shown, "… {left} more");
    }
    shown
}

/// So many of a thing.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// So many bytes; with a unit behind it where that says more.
pub(crate) fn bytes(number: u64) -> String {
    let exact = count(number, "byte", "bytes");
    match unit(number) {
        Some(unit) => format!("{exact} ({unit})"),
        None => exact,
    }
}

/// A large number of bytes in the unit that suits it.
fn unit(number: u64) -> Option<String> {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut shift = 0;
    for unit in UNITS {
        shift += 10;
        let whole = number >> shift;
        if (1..1024).contains(&whole) && number >= 10_000 {
            let tenths = (number >> (shift - 10)) % 1024 * 10 / 1024;
            return Some(format!("{whole}.{tenths} {unit}"));
        }
    }
    None
}

/// Lines of at most `room` characters, broken at spaces.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let wide = word.chars().count();
        if length > 0 && length + 1 + wide > room {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += wide;
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, glimpse, name, wrap};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_show_as_themselves_or_in_quotes() {
        for (from, shown) in [
            (
                &b"orders_0-0d3aed4b998d2798"[..],
                "orders_0-0d3aed4b998d2798",
            ),
            ("größe".as_bytes(), "größe"),
            (b"", "\"\""),
            (b"a b", "\"a b\""),
            (b"a\x1b[2Jb", "\"a\\u{1b}[2Jb\""),
            (b"\xff.log", "\"\\xff.log\""),
            ("a\u{202e}gol.".as_bytes(), "\"a\\u{202e}gol.\""),
        ] {
            assert_eq!(name(OsStr::from_bytes(from)), shown);
        }
    }

    #[test]
    fn payloads() {
        assert_eq!(glimpse(b"order 1"), "\"order 1\"");
        assert_eq!(glimpse(b""), "\"\"");
        assert_eq!(glimpse(&[0, 1, 2]), "000102");
        assert_eq!(glimpse(&[0xff; 30]), format!("{}… 6 more", "ff".repeat(24)));
    }

    #[test]
    fn numbers() {
        assert_eq!(count(1, "record", "records"), "1 record");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(9_999), "9999 bytes");
        assert_eq!(bytes(268_435_456), "268435456 bytes (256.0 MiB)");
        assert_eq!(bytes(u64::MAX), "18446744073709551615 bytes (15.9 EiB)");
    }

    #[test]
    fn lines() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("extraordinary", 8), ["extraordinary"]);
        assert!(wrap("  ", 8).is_empty());
    }
}
