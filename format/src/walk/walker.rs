//! The walk itself.

use core::ops::Range;

use super::instance::Instance;
use super::room::{
    Place, Room, close_lengths, count_of, nested, number_of, room_of, too_short, whole_room,
};
use super::value::{Value, from_number, is_signed};
use super::{Field, MOST_DEPTH, MOST_ROWS, Visitor};
use crate::describe::{Bits, Kind, Presence, Role, Row, Shape, Trailing, Type};
use crate::error::{Error, Fault};
use crate::varint::{self, VarintFault};

pub(super) struct Walker<'a, 'v> {
    pub bytes: &'a [u8],
    pub visitor: &'v mut dyn Visitor<'a>,
}

impl<'a> Walker<'a, '_> {
    pub fn instance(&mut self, kind: &'static Kind, place: Place) -> Result<usize, Error> {
        let refuse =
            |rule, found| Error::new(kind, u16::MAX, place.start, Fault::Refused { rule, found });
        match kind.shape {
            Shape::Enum { bytes, .. } => {
                let end = place.start.saturating_add(usize::from(bytes));
                if end > place.end {
                    let of = Instance::new(kind, &place);
                    return Err(too_short(
                        &of,
                        u16::MAX,
                        place.start,
                        end,
                        whole_room(&place),
                    ));
                }
                return Ok(end);
            }
            // The codec of a text is written by hand, and takes all there is.
            Shape::Text { .. } => return Ok(place.end),
            Shape::Rows(rows) if rows.len() > MOST_ROWS => {
                return Err(refuse("a kind has at most 64 rows", rows.len() as u64));
            }
            Shape::Rows(_) if place.depth >= MOST_DEPTH => {
                return Err(refuse(
                    "kinds are nested at most 16 deep",
                    place.depth as u64,
                ));
            }
            Shape::Rows(_) => {}
        }
        let mut instance = Instance::new(kind, &place);
        self.visitor.enter(&instance);
        let result = self.rows(&mut instance, &place);
        if let (Err(_), Some(end)) = (&result, instance.end) {
            self.foot(&mut instance, &place, end);
        }
        self.visitor.leave(&instance);
        result
    }

    fn rows(&mut self, of: &mut Instance, place: &Place) -> Result<usize, Error> {
        let mut at = place.start;
        for row in 0..of.kind.rows().len() {
            of.begin(row, at);
            self.open_lengths(of, row, at, place)?;
            at = self.row(of, row, at, place)?;
            of.finish(row, at);
            close_lengths(of, row, at)?;
            of.reached = row + 1;
        }
        if place.exact && at < place.end {
            let left = (place.end - at) as u64;
            return Err(Error::new(of.kind, u16::MAX, at, Fault::Trailing { left }));
        }
        of.end = Some(at);
        Ok(at)
    }

    /// Finds the rows behind the one where the walk stopped, as far as they can be measured from the end.
    fn foot(&mut self, of: &mut Instance, place: &Place, end: usize) {
        let (count, mut at) = (of.kind.rows().len(), end);
        let mut first = count;
        while first > of.reached + 1 {
            match of.step_back(self.bytes, first - 1, at) {
                Some(begin) if begin >= place.start => (first, at) = (first - 1, begin),
                _ => break,
            }
        }
        for row in first..count {
            of.begin(row, at);
            match self.row(of, row, at, place) {
                Ok(end) => at = end,
                Err(_) => break,
            }
            of.finish(row, at);
        }
    }

    /// Sets the bounds of rows whose length is known when the first of them is reached.
    fn open_lengths(
        &mut self,
        of: &mut Instance,
        row: usize,
        at: usize,
        place: &Place,
    ) -> Result<(), Error> {
        let rows = of.kind.rows();
        for (len, described) in rows.iter().enumerate() {
            let Role::Len(span) = described.role else {
                continue;
            };
            let alone = span.to - span.from == 1;
            if usize::from(span.from) != row || of.lacks(described) {
                continue;
            }
            if alone && rows.get(row).is_some_and(|row| of.lacks(row)) {
                continue;
            }
            let room = room_of(of, row, place);
            if of.number(len).is_none() && len > row {
                // The length stands in the foot.
                of.measure(self.bytes, len, room.to, room.end);
            }
            let number = number_of(row);
            let stands_at = of.range(len).map_or(at, |range| range.start);
            let amount = of
                .amount(len, row)
                .map_err(|fault| Error::new(of.kind, number_of(len), stands_at, fault))?;
            let Some(amount) = amount else { continue };
            let end = at.saturating_add(usize::try_from(amount).unwrap_or(usize::MAX));
            if end > room.end {
                let error = too_short(of, number, at, end, room);
                if alone {
                    return Err(error);
                }
                // The rows that are there are shown first.
                of.overlong = of.overlong.or(Some((len, error)));
                of.set_bound(len, room.end);
                continue;
            }
            of.set_bound(len, end);
            if usize::from(span.to) == rows.len() {
                of.end = Some(end);
            }
        }
        Ok(())
    }

    /// Reports a row and returns the position behind it.
    fn row(
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
            if torn && kind.size.is_some_and(|size| size > end - begin) {
                break;
            }
            match self.instance(kind, place) {
                // Entries without bytes could go on for ever.
                Ok(behind) if behind > begin => begin = behind,
                Ok(_) => {
                    let rule = "an entry has at least one byte";
                    let fault = Fault::Refused { rule, found: 0 };
                    return Err(Error::new(of.kind, number_of(row), begin, fault));
                }
                Err(error) if torn && matches!(error.fault(), Fault::Short { .. }) => break,
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
