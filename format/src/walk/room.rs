//! How much room an instance and each of its rows have.

use super::instance::Instance;
use crate::describe::Role;
use crate::error::{Error, Fault};

/// Where an instance may stand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub start: usize,
    /// Where it ends at the latest.
    pub end: usize,
    /// It ends exactly there.
    pub exact: bool,
    /// The end is that of a declared length, not of the input.
    pub closed: bool,
    pub depth: usize,
    pub index: Option<usize>,
    pub version: u32,
}

/// What is left for a row: its own length, or what encloses it.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub end: usize,
    pub exact: bool,
    pub closed: bool,
    /// The row behind the last that shares it.
    pub to: usize,
}

/// Checks that the lengths whose last row this is are used up.
pub(super) fn close_lengths(of: &Instance, row: usize, at: usize) -> Result<(), Error> {
    for (len, described) in of.kind.rows().iter().enumerate() {
        let Role::Len(span) = described.role else {
            continue;
        };
        if usize::from(span.to) != row + 1 {
            continue;
        }
        if let Some((_, error)) = of.overlong.filter(|(overlong, _)| *overlong == len) {
            return Err(error);
        }
        if let Some(left @ 1..) = of.bound(len).and_then(|end| end.checked_sub(at)) {
            let fault = Fault::Trailing { left: left as u64 };
            return Err(Error::new(of.kind, number_of(row), at, fault));
        }
    }
    Ok(())
}

pub(super) const fn whole_room(place: &Place) -> Room {
    Room {
        end: place.end,
        exact: place.exact,
        closed: place.closed,
        to: 0,
    }
}

/// The innermost length around a row, or what encloses the instance.
pub(super) fn room_of(of: &Instance, row: usize, place: &Place) -> Room {
    let mut room = Room {
        to: of.kind.rows().len(),
        ..whole_room(place)
    };
    for (len, described) in of.kind.rows().iter().enumerate() {
        if let Role::Len(span) = described.role
            && span.contains(row)
            && let Some(end) = of.bound(len)
            && (end < room.end || usize::from(span.to) < room.to)
        {
            // One that does not fit ends where its surroundings do.
            let fits = of.overlong.is_none_or(|(overlong, _)| overlong != len);
            room = Room {
                end,
                exact: true,
                closed: fits || room.closed,
                to: usize::from(span.to),
            };
        }
    }
    room
}

pub(super) fn nested(of: &Instance, start: usize, end: usize, closed: bool) -> Place {
    Place {
        start,
        end,
        exact: false,
        closed,
        depth: of.depth + 1,
        index: None,
        version: of.version,
    }
}

/// How many entries `row` has, if a row says so.
pub(super) fn count_of(of: &Instance, row: usize) -> Result<Option<u64>, (usize, Fault)> {
    for (counter, described) in of.kind.rows().iter().enumerate() {
        if let Role::Count(target) = described.role
            && usize::from(target) == row
            && !of.lacks(described)
        {
            return of.amount(counter, row).map_err(|fault| (counter, fault));
        }
    }
    Ok(None)
}

pub(super) fn too_short(of: &Instance, row: u16, at: usize, needed_to: usize, room: Room) -> Error {
    let needed = needed_to.saturating_sub(of.start) as u64;
    let available = room.end.saturating_sub(of.start) as u64;
    let fault = if room.closed {
        Fault::Overrun { needed, available }
    } else {
        Fault::Short { needed, available }
    };
    Error::new(of.kind, row, at, fault)
}

pub(super) fn number_of(row: usize) -> u16 {
    u16::try_from(row).unwrap_or(u16::MAX)
}
