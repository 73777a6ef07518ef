//! Reading a file of a kind whole, within a limit that the kind's description gives.

use ondisk::describe::{Kind, Presence, Role, Row, Shape, Trailing, Type};
use ondisk_engine::disk;

use crate::failure::Failure;
use crate::place::FoundFile;

/// The longest file that is read for its own counts to be checked: millions of entries fit.
const MOST: u64 = 1 << 30;

/// The longest text that is read.
const MOST_TEXT: u64 = 1 << 16;

/// The bytes of a file.
pub(super) struct Bytes {
    pub(super) bytes: Vec<u8>,
    /// The most bytes that a sound one has, where the file has more and the rest was not read.
    pub(super) longer_than: Option<u64>,
}

/// Reads what matters of a file.
pub(super) fn whole(found: &FoundFile, kind: &Kind) -> Result<Bytes, Failure> {
    let most = most_bytes(kind);
    let ignored = kind.trailing == Trailing::Ignore || !kind.whole;
    let wanted = if ignored {
        found.len.min(most)
    } else if found.len <= most.max(MOST_TEXT) {
        // A little more than a sound one has is read, so that the definition itself says how it is too long.
        found.len
    } else {
        found.len.min(MOST_TEXT)
    };
    let failed = |error| Failure::system("read", &found.path, &error);
    let size = usize::try_from(wanted).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(size)
        .map_err(|_| failed(std::io::ErrorKind::OutOfMemory.into()))?;
    bytes.resize(size, 0);
    disk::read_exact_at(&*found.file, &mut bytes, 0).map_err(failed)?;
    let longer_than = (!ignored && found.len > wanted).then_some(most);
    Ok(Bytes { bytes, longer_than })
}

/// The most bytes that one of a kind can have, as far as its description tells.
fn most_bytes(kind: &Kind) -> u64 {
    match (&kind.shape, kind.size) {
        (Shape::Text { .. }, _) => MOST_TEXT,
        (_, Some(size)) => size as u64,
        (_, None) => {
            let rows = kind.rows().iter().enumerate();
            let more = rows.map(|(number, row)| most_of(kind, number, row));
            more.fold(kind.min as u64, u64::saturating_add).min(MOST)
        }
    }
}

/// The most bytes of a row that is not always the same size.
fn most_of(kind: &Kind, number: usize, row: &Row) -> u64 {
    let each = match row.ty {
        Type::Seq(of) => match of().size {
            Some(size) => size as u64,
            None => return MOST,
        },
        Type::Bytes | Type::Text => 1,
        // Counted already.
        _ if matches!(row.presence, Presence::Always) => return 0,
        _ => return row.ty.size().map_or(MOST, |size| size as u64 + 1),
    };
    let says = |of: &&Row| match of.role {
        Role::Count(target) => usize::from(target) == number,
        Role::Len(rows) => rows.contains(number),
        _ => false,
    };
    let Some(counter) = kind.rows().iter().find(says) else {
        return MOST;
    };
    let limit = counter.max.and_then(|max| u64::try_from(max).ok());
    let by_type = counter
        .ty
        .size()
        .and_then(|size| 1_u64.checked_shl(8 * u32::try_from(size).unwrap_or(8)));
    match (limit, by_type) {
        (Some(limit), _) | (None, Some(limit)) => limit.saturating_mul(each),
        (None, None) => MOST,
    }
}

#[cfg(test)]
mod tests {
    use ondisk::felix::{Ballot, DurableMark, Epochs, KeyIndex, Replica};

    use super::{MOST, most_bytes};

    #[test]
    fn limits_come_from_the_description() {
        assert_eq!(most_bytes(Replica::KIND), 28);
        assert_eq!(most_bytes(DurableMark::KIND), 32);
        assert_eq!(most_bytes(Ballot::KIND), 1044);
        let epochs = most_bytes(Epochs::KIND);
        assert!((1_048_572..2 << 20).contains(&epochs), "{epochs}");
        assert_eq!(most_bytes(KeyIndex::KIND), MOST);
    }
}
