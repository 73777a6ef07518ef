//! Reading one row.

use core::ops::Range;

use super::instance::Instance;
use super::room::{Place, Room, count_of, nested, number_of, room_of, too_short};
use super::value::{Value, from_number, is_signed, number_in, variant};
use super::walker::Walker;
use super::{Field, Visitor};
use crate::describe::{Bits, Kind, Presence, Role, Row, Shape, Trailing, Type};
use crate::error::{Error, Fault};
use crate::varint::{self, VarintFault};

impl<'a> Walker<'a, '_> {
    /// Reports a row and returns the position behind it.
    pub(super) fn row(
        &mut self,
        of: &mut Instance,
        row: usize,
        at: usize,
        place: &Place,
    ) -> Result<usize, Error> {
        let Some(described) = of.kind.rows().get(row) else {
            return Ok(at);
        };
        if of.lacks(described) {
            self.report(of, row, at..at, Value::Absent);
            return Ok(at);
        }
        if let Some(bits) = described.bits {
            self.bits(of, row, bits);
            return Ok(at);
        }
        let room = room_of(of, row, place);
        let mut begin = at;
        if let Presence::Tag { fixed } = described.presence {
            let (tag, behind) = self.take(of, row, at, 1, room)?;
            begin = behind;
            match *tag {
                [1] => self.report(of, row, at..begin, Value::Tag(true)),
                [found] if found != 0 => {
                    return Err(Error::new(
                        of.kind,
                        number_of(row),
                        at,
                        Fault::Tag { found },
                    ));
                }
                _ => {
                    self.report(of, row, at..begin, Value::Tag(false));
                    let zeros = described.ty.size().filter(|_| fixed).unwrap_or(0);
                    let (_, end) = self.take(of, row, begin, zeros, room)?;
                    self.report(of, row, begin..end, Value::Absent);
                    return Ok(end);
                }
            }
        }
        self.value(of, row, described, begin, room)
    }

    fn value(
        &mut self,
        of: &mut Instance,
        row: usize,
        described: &'static Row,
        at: usize,
        room: Room,
    ) -> Result<usize, Error> {
        match described.ty {
            Type::Seq(kind) => self.entries(of, row, kind(), at, room),
            Type::Of(kind) if !matches!(kind().shape, Shape::Enum { .. }) => {
                let kind = kind();
                self.report(of, row, at..at, Value::Kind(kind));
                let open = kind.size.is_none();
                let (end, exact) = self.extent(of, row, room, open && room.exact);
                let place = nested(of, at, end, room.closed);
                self.instance(
                    kind,
                    Place {
                        exact: exact && open,
                        ..place
                    },
                )
            }
            Type::Varint(bits) | Type::Uvarint(bits) => {
                self.varint(of, row, u32::from(bits), at, room)
            }
            Type::Bytes | Type::Text => {
                let (end, _) = self.extent(of, row, room, true);
                let Some(bytes) = self.bytes.get(at..end) else {
                    let needed = at.saturating_add(room.end.saturating_sub(end));
                    return Err(too_short(of, number_of(row), at, needed, room));
                };
                let value = match (described.ty, core::str::from_utf8(bytes)) {
                    (Type::Text, Ok(text)) => Value::Text(text),
                    (Type::Text, Err(_)) => Value::NotText(bytes),
                    _ => Value::Bytes(bytes),
                };
                self.report(of, row, at..end, value);
                Ok(end)
            }
            Type::Array(size) => {
                let (bytes, end) = self.take(of, row, at, size, room)?;
                self.report(of, row, at..end, Value::Bytes(bytes));
                Ok(end)
            }
            Type::Uint(_) | Type::Int(_) | Type::Bool | Type::Of(_) => {
                let size = described.ty.size().unwrap_or(0);
                let (stored, end) = self.take(of, row, at, size, room)?;
                let raw = of.learn_stored(row, stored);
                let bits = u32::try_from(size * 8).unwrap_or(64);
                if matches!(described.role, Role::Version) {
                    of.version = u32::try_from(raw).unwrap_or(u32::MAX);
                }
                self.report(of, row, at..end, from_number(described, raw, bits));
                Ok(end)
            }
        }
    }

    fn bits(&mut self, of: &mut Instance, row: usize, bits: Bits) {
        let word = usize::from(bits.word);
        let width = u32::from(bits.high.saturating_sub(bits.low)) + 1;
        let mask = u64::MAX >> 64_u32.saturating_sub(width).min(63);
        let raw = of.number(word).unwrap_or(0) >> bits.low.min(63) & mask;
        of.learn(row, raw);
        let range = of.range(word).unwrap_or(of.start..of.start);
        if let Some(described) = of.kind.rows().get(row) {
            self.report(of, row, range, from_number(described, raw, width));
        }
    }

    fn varint(
        &mut self,
        of: &mut Instance,
        row: usize,
        bits: u32,
        at: usize,
        room: Room,
    ) -> Result<usize, Error> {
        let left = self.bytes.get(at..room.end).unwrap_or_default();
        let (raw, used) = varint::read(left, bits).map_err(|fault| match fault {
            VarintFault::Short => {
                too_short(of, number_of(row), at, room.end.saturating_add(1), room)
            }
            VarintFault::TooLong => Error::new(of.kind, number_of(row), at, Fault::Varint),
        })?;
        let signed = of.kind.rows().get(row).is_some_and(|row| is_signed(row.ty));
        let value = if signed {
            let number = varint::unzigzag(raw);
            of.learn(row, number as u64);
            Value::Int(number)
        } else {
            of.learn(row, raw);
            Value::Uint(raw)
        };
        self.report(of, row, at..at + used, value);
        Ok(at + used)
    }

    fn entries(
        &mut self,
        of: &mut Instance,
        row: usize,
        kind: &'static Kind,
        at: usize,
        room: Room,
    ) -> Result<usize, Error> {
        let count = count_of(of, row).map_err(|(counter, fault)| {
            let stands_at = of.range(counter).map_or(at, |range| range.start);
            Error::new(of.kind, number_of(counter), stands_at, fault)
        })?;
        let (end, exact) = self.extent(of, row, room, count.is_none() || room.exact);
        let torn = count.is_none() && matches!(of.kind.trailing, Trailing::Ignore);
        self.report(of, row, at..at, Value::Entries { of: kind, count });
        let (mut begin, mut index) = (at, 0);
        while count.map_or(begin < end, |count| (index as u64) < count) {
            let place = Place {
                index: Some(index),
                ..nested(of, begin, end, room.closed)
            };
            if torn && self.is_torn(kind, place) {
                break;
            }
            let entry = match kind.shape {
                Shape::Enum { .. } => self.number(of, row, kind, begin, room),
                _ => self.instance(kind, place),
            };
            match entry {
                // Entries without bytes could go on for ever.
                Ok(behind) if behind > begin => begin = behind,
                Ok(_) => {
                    let rule = "an entry has at least one byte";
                    let fault = Fault::Refused { rule, found: 0 };
                    return Err(Error::new(of.kind, number_of(row), begin, fault));
                }
                Err(error) => return Err(error),
            }
            index += 1;
        }
        if exact && !torn && begin < end {
            let left = (end - begin) as u64;
            return Err(Error::new(
                of.kind,
                number_of(row),
                begin,
                Fault::Trailing { left },
            ));
        }
        Ok(begin)
    }

    /// Whether the input ends inside an entry: looked for ahead, since what is left out is not shown.
    fn is_torn(&self, kind: &'static Kind, place: Place) -> bool {
        struct Nobody;
        impl<'a> Visitor<'a> for Nobody {
            fn field(&mut self, _: &Field<'a>) {}
        }
        if let Some(size) = kind.size {
            return size > place.end - place.start;
        }
        let mut ahead = Walker {
            bytes: self.bytes,
            visitor: &mut Nobody,
        };
        let error = ahead.instance(kind, place).err();
        error.is_some_and(|error| matches!(error.fault(), Fault::Short { .. }))
    }

    /// An entry that is a number with a name, reported as its row.
    fn number(
        &mut self,
        of: &Instance,
        row: usize,
        kind: &'static Kind,
        at: usize,
        room: Room,
    ) -> Result<usize, Error> {
        let size = kind.size.unwrap_or(0);
        let (stored, end) = self.take(of, row, at, size, room)?;
        let raw = number_in(stored, kind.endian);
        self.report(of, row, at..end, variant(kind, raw));
        Ok(end)
    }

    /// Where a row of variable length ends: at the end of its room, less what stands behind it there. Also whether it
    /// must end exactly there.
    fn extent(
        &mut self,
        of: &mut Instance,
        row: usize,
        room: Room,
        measured: bool,
    ) -> (usize, bool) {
        if !measured {
            return (room.end, false);
        }
        match of.measure(self.bytes, row + 1, room.to, room.end) {
            Some(end) => (end, room.exact),
            None => (room.end, false),
        }
    }

    fn take(
        &self,
        of: &Instance,
        row: usize,
        at: usize,
        size: usize,
        room: Room,
    ) -> Result<(&'a [u8], usize), Error> {
        let end = at.saturating_add(size);
        match self.bytes.get(at..end) {
            Some(bytes) if end <= room.end => Ok((bytes, end)),
            _ => Err(too_short(of, number_of(row), at, end, room)),
        }
    }

    fn report(&mut self, of: &Instance, number: usize, range: Range<usize>, value: Value<'a>) {
        if let Some(row) = of.kind.rows().get(number) {
            self.visitor.field(&Field {
                kind: of.kind,
                number,
                row,
                depth: of.depth,
                version: of.version,
                range,
                value,
            });
        }
    }
}
