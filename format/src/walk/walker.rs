//! The walk itself.

use super::instance::Instance;
use super::room::{Place, close_lengths, number_of, room_of, too_short, whole_room};
use super::{MOST_DEPTH, MOST_ROWS, Visitor};
use crate::describe::{Kind, Role, Row, Shape, Type};
use crate::error::{Error, Fault};
use crate::format::Cx;

pub(super) struct Walker<'a, 'v> {
    pub bytes: &'a [u8],
    pub visitor: &'v mut dyn Visitor<'a>,
}

impl Walker<'_, '_> {
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
            // What takes all there is, is shown even if it makes no sense.
            Shape::Text { .. } if kind.whole => return Ok(place.end),
            Shape::Text { walk, .. } => {
                let input = self.bytes.get(place.start..place.end);
                let cx = Cx {
                    version: place.version,
                    closed: place.closed,
                    whole: false,
                };
                let used = walk(input.unwrap_or_default(), place.start, cx)?;
                return Ok(place.start.saturating_add(used).min(place.end));
            }
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
            self.meets_foot(of, row, at, place)?;
            of.reached = row + 1;
        }
        if place.exact && at < place.end {
            let left = (place.end - at) as u64;
            return Err(Error::new(of.kind, u16::MAX, at, Fault::Trailing { left }));
        }
        of.end = Some(at);
        Ok(at)
    }

    /// Checks that a row which varies leaves nothing in front of what can be measured from the end.
    fn meets_foot(
        &self,
        of: &mut Instance,
        row: usize,
        at: usize,
        place: &Place,
    ) -> Result<(), Error> {
        let rows = of.kind.rows();
        let varies = rows.get(row).is_some_and(|row| row.ty.size().is_none());
        let room = room_of(of, row + 1, place);
        if !varies || !place.exact || room.to != rows.len() || room.end != place.end {
            return Ok(());
        }
        match of.measure(self.bytes, row + 1, rows.len(), place.end) {
            Some(foot) if at < foot => {
                let left = (foot - at) as u64;
                let fault = Fault::Trailing { left };
                Err(Error::new(of.kind, number_of(row), at, fault))
            }
            _ => Ok(()),
        }
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
            // What is absent has no end, unless several rows of other kinds could be bounded.
            let is_open = |row: &Row| matches!(row.ty, Type::Bytes | Type::Text | Type::Seq(_));
            if alone
                && rows
                    .get(row)
                    .is_some_and(|row| is_open(row) && of.lacks(row))
            {
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
}
