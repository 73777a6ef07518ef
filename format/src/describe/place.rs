//! Where the rows of a kind stand in one of its versions, also behind rows whose length only an instance knows.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Kind, Presence, Role, Row, Type};

/// A row and its place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Number of the row.
    pub number: usize,
    /// The row.
    pub row: &'static Row,
    /// Its first byte.
    pub offset: Offset,
    /// Its bytes.
    pub size: Size,
}

/// A position: so many bytes and the sizes of the rows named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Bytes of rows with a size of their own.
    pub bytes: usize,
    /// Rows in front of it whose size is not always the same.
    pub behind: Vec<&'static str>,
}

/// How many bytes a row takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// Always so many.
    Fixed(usize),
    /// None of its own: bits of a word.
    Bits,
    /// What an instance says; here in words.
    Varies(String),
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bytes)?;
        self.behind.iter().try_for_each(|row| write!(f, " + {row}"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(bytes) => write!(f, "{bytes}"),
            Self::Bits => Ok(()),
            Self::Varies(words) => f.write_str(words),
        }
    }
}

impl Kind {
    /// The places of the rows that `version` has.
    #[must_use]
    pub fn places(&self, version: u32) -> Vec<Place> {
        let mut offset = Offset::default();
        let mut places = Vec::new();
        for (number, row) in self.rows().iter().enumerate() {
            if !(row.since..=row.until).contains(&version) {
                continue;
            }
            let size = self.size_of(number, row);
            let mut at = offset.clone();
            match (&size, row.bits) {
                (Size::Fixed(bytes), _) => offset.bytes += bytes,
                (Size::Varies(_), _) => offset.behind.push(row.name),
                // Bits stand where their word does.
                (Size::Bits, Some(bits)) => {
                    let word = places
                        .iter()
                        .find(|place: &&Place| place.number == usize::from(bits.word));
                    at = word.map_or(at, |word| word.offset.clone());
                }
                (Size::Bits, None) => {}
            }
            places.push(Place {
                number,
                row,
                offset: at,
                size,
            });
        }
        places
    }

    fn size_of(&self, number: usize, row: &Row) -> Size {
        if row.bits.is_some() {
            return Size::Bits;
        }
        match (row.presence, row.ty.size()) {
            (Presence::Always, Some(bytes)) => Size::Fixed(bytes),
            (Presence::Tag { fixed: true }, Some(bytes)) => Size::Fixed(1 + bytes),
            (Presence::Tag { fixed: false }, Some(bytes)) => {
                Size::Varies(format!("1 or {}", 1 + bytes))
            }
            (Presence::When { .. } | Presence::Null { .. }, Some(bytes)) => {
                Size::Varies(format!("0 or {bytes}"))
            }
            (Presence::Tag { .. }, None) => {
                Size::Varies(format!("1 or 1 + {}", self.varying(number, row)))
            }
            (Presence::Always | Presence::When { .. } | Presence::Null { .. }, None) => {
                Size::Varies(self.varying(number, row))
            }
        }
    }

    /// The size of a row that has none of its own.
    fn varying(&self, number: usize, row: &Row) -> String {
        for of in self.rows() {
            match of.role {
                Role::Len(rows) if rows.contains(number) && rows.to - rows.from == 1 => {
                    return match row.presence {
                        Presence::Null { bias: 0, .. } => format!("{}, 0 for null", of.name),
                        Presence::Null { bias, .. } => format!("{} - {bias}, 0 for null", of.name),
                        _ => of.name.to_string(),
                    };
                }
                Role::Count(target) if usize::from(target) == number => {
                    let each = match row.ty {
                        Type::Seq(kind) => kind().size.map(|size| format!(" x {size}")),
                        _ => None,
                    };
                    return format!("{}{}", of.name, each.as_deref().unwrap_or(" entries"));
                }
                _ => {}
            }
        }
        match row.ty {
            Type::Varint(bits) | Type::Uvarint(bits) => {
                format!("1 to {}", usize::from(bits).div_ceil(7))
            }
            Type::Of(kind) => kind().name.to_string(),
            _ => "the rest".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use crate::walk::samples::{ENTRY, FRAME, NOTE, OBJECT};

    fn table(kind: &crate::Kind, version: u32) -> Vec<String> {
        let places = kind.places(version);
        let show = |place: &super::Place| {
            format!("{} at {}: {}", place.row.name, place.offset, place.size)
        };
        places.iter().map(show).collect()
    }

    #[test]
    fn places_behind_rows_that_vary() {
        assert_eq!(
            table(&FRAME, 2)[3..],
            [
                "head_crc at 2: 4",
                "crc at 6: 4",
                "tag at 10: 0 or 2",
                "payload at 10 + tag: len"
            ]
        );
        assert_eq!(
            table(&OBJECT, 1)[2..],
            [
                "runs at 3: the rest",
                "entries at 3 + runs: entries_len",
                "entries_len at 3 + runs + entries: 1",
                "crc at 4 + runs + entries: 4",
            ]
        );
        assert_eq!(table(&ENTRY, 1).len(), 4);
        assert_eq!(table(&ENTRY, 2)[4], "digest at 3 + key: 3");
        assert_eq!(
            table(&NOTE, 0)[..4],
            [
                "length at 0: 1 to 5",
                "delta at 0 + length: 1 to 10",
                "key_len at 0 + length + delta: 1 to 5",
                "key at 0 + length + delta + key_len: key_len, 0 for null",
            ]
        );
    }
}
