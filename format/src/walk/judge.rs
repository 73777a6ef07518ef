//! What is wrong with a row: the checks that a description can make by itself.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::value::{Value, is_null, number_in};
use super::{Field, Instance};
use crate::describe::{Endian, Presence, Role, Shape};
use crate::error::{Bytes8, Error, Fault};

/// What is wrong with what stands in a row, if anything: its magic, version, fixed value, limits, enum or text.
/// `bytes` is the input that was walked. Checksums are judged by the instance, rules in code not at all.
#[must_use]
pub fn judge(field: &Field<'_>, bytes: &[u8]) -> Option<Fault> {
    let stored = bytes.get(field.range.clone()).unwrap_or_default();
    if matches!(field.value, Value::Absent | Value::Tag(_)) {
        return None;
    }
    fixed_value(field, stored)
        .or_else(|| version(field, stored))
        .or_else(|| variant(field))
        .or_else(|| limits(field))
        .or_else(|| text(field))
}

fn fixed_value(field: &Field<'_>, stored: &[u8]) -> Option<Fault> {
    match field.row.role {
        Role::Magic(right) if stored != right => Some(Fault::Magic {
            expected: Bytes8::of(right),
            found: Bytes8::of(stored),
        }),
        Role::MustBe(right) if field.row.bits.is_some() => {
            let (expected, found) = (number_in(right, Endian::Big), unsigned(field.value)?);
            (expected != found).then_some(Fault::MustBe { expected, found })
        }
        Role::MustBe(right) if stored != right => Some(Fault::MustBe {
            expected: number_in(right, field.row.endian),
            found: number_in(stored, field.row.endian),
        }),
        _ => None,
    }
}

fn version(field: &Field<'_>, stored: &[u8]) -> Option<Fault> {
    let (Role::Version, Some(versions)) = (field.row.role, &field.kind.versions) else {
        return None;
    };
    let found = u32::try_from(number_in(stored, field.row.endian)).unwrap_or(u32::MAX);
    let (min, max) = (versions.min, versions.max);
    (!(min..=max).contains(&found)).then_some(Fault::Version { found, min, max })
}

fn variant(field: &Field<'_>) -> Option<Fault> {
    let Value::Variant {
        raw: found,
        of,
        known,
    } = field.value
    else {
        return None;
    };
    let Some(variant) = known else {
        let open = matches!(of.shape, Shape::Enum { open: true, .. });
        return (!open).then_some(Fault::Unknown { found });
    };
    let (since, until, version) = (variant.since, variant.until, field.version);
    (!(since..=until).contains(&version)).then_some(Fault::NotInVersion {
        found,
        version,
        since,
        until,
    })
}

fn limits(field: &Field<'_>) -> Option<Fault> {
    let number = field.value.number()?;
    if let Some(limit) = field.row.min
        && number < limit
        && !says_null(field, number)
    {
        return Some(Fault::TooSmall {
            found: i64::try_from(number).unwrap_or(i64::MAX),
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
        });
    }
    let is_length = matches!(field.row.role, Role::Len(_) | Role::Count(_));
    if is_length && number < 0 && !says_null(field, number) {
        return Some(Fault::TooSmall {
            found: i64::try_from(number).unwrap_or(i64::MIN),
            limit: 0,
        });
    }
    if let Some(limit) = field.row.max
        && number > limit
        && !says_null(field, number)
    {
        return Some(Fault::TooLarge {
            found: u64::try_from(number).unwrap_or(u64::MAX),
            limit: u64::try_from(limit).unwrap_or(0),
        });
    }
    None
}

/// Whether the number of a length row stands for null, which no limit is about.
fn says_null(field: &Field<'_>, number: i128) -> bool {
    field.kind.rows().iter().any(|row| match row.presence {
        Presence::Null { len, null, .. } => {
            usize::from(len) == field.number && is_null(null, number)
        }
        _ => false,
    })
}

fn text(field: &Field<'_>) -> Option<Fault> {
    let Value::NotText(bytes) = field.value else {
        return None;
    };
    let valid_up_to = core::str::from_utf8(bytes).err()?.valid_up_to() as u64;
    Some(Fault::Utf8 { valid_up_to })
}

fn unsigned(value: Value<'_>) -> Option<u64> {
    match value {
        Value::Uint(number) | Value::Variant { raw: number, .. } => Some(number),
        Value::Int(number) => Some(number as u64),
        Value::Bool(flag) => Some(u64::from(flag)),
        _ => None,
    }
}

impl Instance {
    /// What is wrong with the checksum in `row`, if it is a checksum and all that it covers was found.
    #[must_use]
    pub fn judge_sum(&self, row: usize, bytes: &[u8]) -> Option<Error> {
        let sum = self.sum(row, bytes)?;
        let at = self.range(row)?.start;
        let fault = Fault::Checksum {
            expected: sum.stored,
            found: sum.computed,
        };
        let row = u16::try_from(row).unwrap_or(u16::MAX);
        (sum.stored != sum.computed).then_some(Error::new(self.kind, row, at, fault))
    }
}

/// All that is wrong with an instance at the front of `bytes`, in the order of the walk; last why the walk stopped, if
/// it did. Also the bytes that the instance takes. Rules in code are not known here.
#[cfg(feature = "alloc")]
#[must_use]
pub fn faults(
    kind: &'static crate::Kind,
    bytes: &[u8],
    version: u32,
) -> (Vec<Error>, Option<usize>) {
    struct Judge<'a>(&'a [u8], Vec<Error>);

    impl<'a> super::Visitor<'a> for Judge<'a> {
        fn field(&mut self, field: &Field<'a>) {
            if let Some(fault) = judge(field, self.0) {
                let row = u16::try_from(field.number).unwrap_or(u16::MAX);
                let error = Error::new(field.kind, row, field.range.start, fault);
                self.1.push(error);
            }
        }

        fn leave(&mut self, instance: &Instance) {
            let rows = 0..instance.kind.rows().len();
            self.1
                .extend(rows.filter_map(|row| instance.judge_sum(row, self.0)));
        }
    }

    let mut judge = Judge(bytes, Vec::new());
    let result = super::walk(kind, bytes, version, &mut judge);
    let Judge(_, mut found) = judge;
    found.extend(result.err());
    (found, result.ok())
}
