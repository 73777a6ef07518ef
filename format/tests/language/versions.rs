//! Versions: read ranges, rows that only some have, gates, versions from outside.

use ondisk::{Fault, Feature, FeatureLevels, Format, format};

use super::entries::Pair;
use crate::hold::{Case, hex, short};

const SIXTY_FOUR: Feature = Feature::new("sixty_four", 2);

#[format(reads = 1..=4, writes = 2, gate(3 = SIXTY_FOUR))]
#[derive(Clone, Debug, PartialEq)]
pub struct Grown<'a> {
    #[format(le, version)]
    version: u16,
    #[format(until = 2)]
    pub narrow: Option<u32>,
    #[format(since = 3)]
    pub wide: Option<u64>,
    #[format(since = 2, until = 3, reserved)]
    gap: [u8; 2],
    #[format(since = 2, must_be = 7)]
    mark: u8,
    #[format(since = 4, tag)]
    pub pair: Option<Pair>,
    #[format(len(name))]
    len: u8,
    pub name: &'a str,
}

#[test]
fn rows_of_some_versions() {
    let case = Case::of::<Grown<'_>>(0, "0100 00000001 01 61");
    assert_eq!(Grown::MIN, 3);
    assert_eq!(case.needs(), [3, 7, 8]);
    assert_eq!(case.cut(3), ("narrow", 2, short(7, 3)));
    let case = Case::of::<Grown<'_>>(0, "0200 00000001 0000 07 01 61");
    assert_eq!(case.needs(), [3, 10, 11]);
    assert_eq!(
        case.with(8, "08"),
        (
            "mark",
            8,
            Fault::MustBe {
                expected: 7,
                found: 8
            }
        )
    );
    let case = Case::of::<Grown<'_>>(0, "0300 0000000000000001 0000 07 00");
    assert_eq!(case.needs(), [3, 14]);
    assert_eq!(case.cut(5), ("wide", 2, short(14, 5)));
    let case = Case::of::<Grown<'_>>(0, "0400 0000000000000001 07 01 0001000a 00");
    assert_eq!(case.needs(), [3, 13, 17]);
    assert_eq!(
        case.with(0, "0500"),
        (
            "version",
            0,
            Fault::Version {
                found: 5,
                min: 1,
                max: 4
            }
        )
    );
    assert_eq!(case.with(0, "0000").0, "version");
    let bytes = hex("0200 00000001 0000 07 00");
    let view = Grown::view(&bytes).unwrap();
    assert_eq!(
        (view.version(), view.narrow(), view.wide()),
        (2, Some(1), None)
    );
}

#[test]
fn a_writer_needs_the_feature_of_a_version() {
    let none = FeatureLevels::NONE;
    let (low, high) = ([("sixty_four", 1)], [("sixty_four", 2)]);
    let (low, high) = (FeatureLevels::new(&low), FeatureLevels::new(&high));
    // The version written by default does not change with the feature.
    for levels in [&none, &low, &high] {
        assert_eq!(Grown::write_version(levels).get(), 2);
        assert_eq!(Grown::write_at(1, levels).unwrap().get(), 1);
    }
    for levels in [&none, &low] {
        let error = Grown::write_at(3, levels).unwrap_err();
        assert_eq!(error.needs(), Some(SIXTY_FOUR));
        assert_eq!(
            error.to_string(),
            "Grown version 3 needs sixty_four at level 2 to be finalized"
        );
    }
    assert_eq!(Grown::write_at(3, &high).unwrap().get(), 3);
    // Read, and not written by any build; nor what is not read.
    let error = Grown::write_at(4, &high).unwrap_err();
    assert_eq!(error.needs(), None);
    assert_eq!(
        error.to_string(),
        "Grown version 4 is read, and never written"
    );
    assert_eq!(
        Grown::write_at(5, &high).unwrap_err().to_string(),
        "Grown has no version 5, only 1 to 4"
    );
}

#[test]
fn a_row_that_the_version_lacks_is_never_lost_in_silence() {
    let value = Grown {
        narrow: Some(1),
        wide: None,
        pair: None,
        name: "",
    };
    let version = |number| Grown::write_at(number, &FeatureLevels::new(&[("sixty_four", 2)]));
    let mut out = Vec::new();
    value.encode(version(2).unwrap(), &mut out).unwrap();
    assert_eq!(out.len(), value.encoded_len(version(2).unwrap()));
    let refused = |value: &Grown<'_>, number| {
        let error = value.encode(version(number).unwrap(), &mut Vec::new());
        let error = error.unwrap_err();
        (error.row(), error.fault())
    };
    assert_eq!(
        refused(&value, 3),
        ("narrow", Fault::Presence { expected: false })
    );
    let value = Grown {
        narrow: None,
        ..value
    };
    assert_eq!(
        refused(&value, 2),
        ("narrow", Fault::Presence { expected: true })
    );
    assert_eq!(
        refused(&value, 3),
        ("wide", Fault::Presence { expected: true })
    );
    let value = Grown {
        wide: Some(1),
        pair: Some(Pair { key: 1, value: 2 }),
        ..value
    };
    assert_eq!(
        refused(&value, 3),
        ("pair", Fault::Presence { expected: false })
    );
}

#[format(reads = 1..=2, writes = 1, gate(2 = SIXTY_FOUR), adopt, le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Adopts {
    #[format(version)]
    version: i16,
}

#[test]
fn a_finalized_feature_may_raise_what_is_written_by_default() {
    let levels = [("sixty_four", 2)];
    assert_eq!(Adopts::write_version(&FeatureLevels::NONE).get(), 1);
    assert_eq!(Adopts::write_version(&FeatureLevels::new(&levels)).get(), 2);
    let case = Case::of::<Adopts>(0, "0200");
    assert_eq!(
        case.with(0, "ffff").2,
        Fault::Version {
            found: 0xffff,
            min: 1,
            max: 2
        }
    );
}

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u8)]
pub enum Op {
    Put = 0,
    #[format(until = 2)]
    Old = 1,
    #[format(since = 2, until = 3)]
    Middle = 2,
    #[format(since = 4)]
    New = 3,
}

/// Governed by the version of another kind.
#[derive(Format, Clone, Debug, PartialEq)]
#[format(version_of = Grown<'static>)]
pub struct Entry {
    pub op: Op,
    #[format(since = 2)]
    pub extra: Option<u16>,
}

#[test]
fn a_version_from_outside() {
    let case = Case::of::<Entry>(1, "01");
    assert_eq!(
        case.with(0, "02"),
        (
            "op",
            0,
            Fault::NotInVersion {
                found: 2,
                version: 1,
                since: 2,
                until: 3
            }
        )
    );
    let case = Case::of::<Entry>(3, "02 0007");
    assert_eq!(case.needs(), [1, 3]);
    assert_eq!(
        case.with(0, "01").2,
        Fault::NotInVersion {
            found: 1,
            version: 3,
            since: 0,
            until: 2
        }
    );
    Case::of::<Entry>(4, "03 0007");
    let fault = Fault::Version {
        found: 9,
        min: 1,
        max: 4,
    };
    let bytes = hex("00 0007");
    assert_eq!(Entry::view(&bytes, 9).unwrap_err().fault(), fault);
    assert_eq!(Entry::view_prefix(&bytes, 9).unwrap_err().fault(), fault);
    assert_eq!(Entry::walk_prefix(&bytes, 0).unwrap_err().row(), "");
    let mut stream = Entry::stream(&bytes, 9);
    assert_eq!(stream.next().unwrap().unwrap_err().fault(), fault);
    assert!(ondisk::Kept::<Entry, _>::new(&bytes, 9).is_err());
}

#[test]
fn a_variant_that_the_version_lacks_is_not_written() {
    let entry = Entry {
        op: Op::New,
        extra: Some(1),
    };
    let error = entry
        .encode(Grown::write_version(&FeatureLevels::NONE), &mut Vec::new())
        .unwrap_err();
    let fault = Fault::NotInVersion {
        found: 3,
        version: 2,
        since: 4,
        until: u32::MAX,
    };
    assert_eq!((error.row(), error.fault()), ("op", fault));
}
