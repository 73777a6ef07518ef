//! Vectors: bytes, and what a reader makes of them, as text.
//!
//! A block begins with `vector NAME` and ends at the next empty line; lines that begin with `#` are comments.
//!
//! ```text
//! vector V-IDX/torn
//! note five bytes of a torn entry are dropped
//! bytes 464c5349 0003 0000 0000000000000007
//! bytes 0000000000
//! kind Index
//! ok version=3 entries.len=1 entries[0].offset=7
//! rewrite differs
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `note TEXT` | what it shows, for people |
//! | `bytes HEX ..` | blanks mean nothing; several lines are joined; none: no bytes |
//! | `line TEXT` | instead of `bytes`: a line of text, ended by one LF |
//! | `kind KIND [version=N]` | read as this kind; N for one that takes its version from outside. Several kinds follow one another in the bytes, and nothing is left over |
//! | `ok ROW=VALUE ..` | it reads; several lines are joined |
//! | `refused ROW FAULT [FIELD=VALUE ..]` | it is refused in this row for this reason; `*` is any row or fault, fields not named may have any value |
//! | `rewrite differs` | it reads, but writing the value gives other bytes |
//!
//! ROW is `name`, `list[i].row`, `list.len` or `option.row`. VALUE is a number, decimal or after `0x`, the name of an
//! enum's value, `true`, `false`, `none`, text in double quotes, or bytes in hex after `x`.

mod expect;

use std::fmt::Write;

/// A vector.
#[derive(Clone, Debug, Default)]
pub struct Vector {
    /// Its name.
    pub name: String,
    /// What it shows, for people.
    pub note: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The bytes as they were written, for people.
    pub written: String,
    /// What is read, one behind the other.
    pub parts: Vec<Part>,
}

/// A kind that is read, and what comes of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// Name of the kind.
    pub kind: String,
    /// The version that it takes from outside.
    pub version: u32,
    /// What comes of it.
    pub outcome: Outcome,
    /// Writing the value gives other bytes.
    pub rewrite_differs: bool,
}

/// What comes of reading.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It reads, with these values by row.
    Ok(Vec<(String, String)>),
    /// It is refused.
    Refused {
        /// The row, or `*`.
        row: String,
        /// The fault, or `*`.
        fault: String,
        /// Its fields.
        fields: Vec<(String, String)>,
    },
}

/// Reads the blocks of a text.
///
/// # Errors
/// The number of a line, and what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Vector>, String> {
    let mut vectors: Vec<Vector> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            open = false;
            continue;
        }
        let wrong = |what: &str| format!("line {}: {what}: {line}", number + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, vectors.last_mut().filter(|_| open)) {
            ("vector", None) => {
                vectors.push(Vector {
                    name: rest.to_owned(),
                    ..Vector::default()
                });
                open = true;
            }
            (_, Some(vector)) => vector.line(word, rest).map_err(|what| wrong(&what))?,
            (_, None) => return Err(wrong("outside of a vector")),
        }
    }
    match vectors.iter().find(|vector| vector.parts.is_empty()) {
        Some(vector) => Err(format!("{} has no kind", vector.name)),
        None => Ok(vectors),
    }
}

impl Vector {
    fn line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            "note" => self.note = rest.to_owned(),
            "bytes" => {
                self.bytes.extend(hex(rest)?);
                self.write(rest, " ");
            }
            "line" => {
                self.bytes.extend(rest.bytes().chain([b'\n']));
                self.write(rest, " / ");
            }
            "kind" => {
                let (kind, version) = rest.split_once(" version=").unwrap_or((rest, "0"));
                let version = version.parse().map_err(|_| "not a version".to_owned())?;
                self.parts.push(Part {
                    kind: kind.to_owned(),
                    version,
                    outcome: Outcome::Ok(Vec::new()),
                    rewrite_differs: false,
                });
            }
            "ok" | "refused" | "rewrite" => {
                let part = self.parts.last_mut().ok_or("no kind before it")?;
                part.line(word, rest)?;
            }
            _ => return Err("an unknown word".to_owned()),
        }
        Ok(())
    }

    fn write(&mut self, text: &str, between: &str) {
        let between = if self.written.is_empty() { "" } else { between };
        let _ = write!(self.written, "{between}{text}");
    }

    /// Whether all of it reads.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.parts
            .iter()
            .all(|part| matches!(part.outcome, Outcome::Ok(_)))
    }
}

impl Part {
    fn line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match (word, &mut self.outcome) {
            ("ok", Outcome::Ok(values)) => values.extend(pairs(rest)?),
            ("refused", _) => {
                let mut words = rest.splitn(3, ' ');
                let row = words.next().unwrap_or_default().to_owned();
                let fault = words.next().ok_or("a row and a fault")?.to_owned();
                let fields = pairs(words.next().unwrap_or_default())?;
                self.outcome = Outcome::Refused { row, fault, fields };
            }
            ("rewrite", _) if rest == "differs" => self.rewrite_differs = true,
            _ => return Err("contradicts what stands before it".to_owned()),
        }
        Ok(())
    }
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    let byte = |pair: &[char]| -> Option<u8> {
        let [high, low] = *pair else { return None };
        u8::try_from(high.to_digit(16)? << 4 | low.to_digit(16)?).ok()
    };
    digits
        .chunks(2)
        .map(|pair| byte(pair).ok_or_else(|| "not hexadecimal".to_owned()))
        .collect()
}

/// Words `name=value`; a value in double quotes may hold blanks.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=').ok_or("a name and a value")?;
        let end = match behind.strip_prefix('"') {
            Some(quoted) => 2 + quoted.find('"').ok_or("a quote without an end")?,
            None => behind.find(' ').unwrap_or(behind.len()),
        };
        let (value, left) = behind.split_at(end);
        pairs.push((name.to_owned(), value.to_owned()));
        rest = left.trim_start();
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_values() {
        let text = "# comment\n\nvector A\nnote n\nbytes 00 0102\nkind K version=3\nok a=1 b=\"x y\"\nok c=none\n\n\
            vector B\nline ab\nline c\nkind L\nrefused * Short needed=3\n";
        let vectors = parse(text).unwrap();
        assert_eq!(vectors.len(), 2);
        assert_eq!(vectors[0].bytes, [0, 1, 2]);
        let Outcome::Ok(values) = &vectors[0].parts[0].outcome else {
            panic!()
        };
        assert_eq!(values[1], ("b".into(), "\"x y\"".into()));
        assert_eq!((vectors[0].parts[0].version, values.len()), (3, 3));
        assert_eq!(
            (vectors[1].bytes.as_slice(), vectors[1].is_ok()),
            (&b"ab\nc\n"[..], false)
        );
        for wrong in [
            "kind K",
            "vector A\nbytes 0",
            "vector A\nkind K\nok a",
            "vector A",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
