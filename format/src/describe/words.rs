//! Types and spans in words, as the lock and the pages write them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Endian, Kind, Row, Rows, Type};

impl Row {
    /// Its type, with the byte order where that is not big-endian.
    #[must_use]
    pub fn type_name(&self) -> String {
        let order = match (self.endian, self.ty.size()) {
            (Endian::Little, Some(2..)) if self.ty.is_number() => " le",
            _ => "",
        };
        match self.bits {
            Some(bits) if bits.low == bits.high => format!("bit {}: {}", bits.low, self.ty.name()),
            Some(bits) => format!("bits {}..={}: {}", bits.low, bits.high, self.ty.name()),
            None => format!("{}{order}", self.ty.name()),
        }
    }
}

impl Type {
    /// Its name in a table.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Uint(bytes) => format!("u{}", u32::from(bytes) * 8),
            Self::Int(bytes) => format!("i{}", u32::from(bytes) * 8),
            Self::Bool => "bool".to_string(),
            Self::Varint(bits) => format!("varint i{bits}"),
            Self::Uvarint(bits) => format!("varint u{bits}"),
            Self::Array(bytes) => format!("[u8; {bytes}]"),
            Self::Bytes => "bytes".to_string(),
            Self::Text => "UTF-8".to_string(),
            Self::Seq(kind) => format!("[{}]", kind().name),
            Self::Of(kind) => kind().name.to_string(),
        }
    }

    fn is_number(self) -> bool {
        match self {
            Self::Uint(_) | Self::Int(_) => true,
            Self::Of(kind) => matches!(kind().shape, super::Shape::Enum { .. }),
            _ => false,
        }
    }
}

impl Kind {
    /// Spans as a definition writes them: `..crc`, `a..`, `a..b`, `a`, joined by commas.
    #[must_use]
    pub fn spans(&self, spans: &[Rows]) -> String {
        let pieces: Vec<String> = spans.iter().map(|&rows| self.span(rows)).collect();
        pieces.join(", ")
    }

    fn span(&self, rows: Rows) -> String {
        let count = self.rows().len();
        let name = |row: usize| self.rows().get(row).map_or("", |row| row.name);
        let (from, to) = (usize::from(rows.from), usize::from(rows.to));
        match (from, to) {
            (0, to) if to >= count => "..".to_string(),
            (0, to) => format!("..{}", name(to)),
            (from, to) if to == from + 1 => name(from).to_string(),
            (from, to) if to >= count => format!("{}..", name(from)),
            (from, to) => format!("{}..{}", name(from), name(to)),
        }
    }
}
