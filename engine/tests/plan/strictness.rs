//! Where the seed holds to the letter: every repair of its own, and none that is not.

use ondisk_engine::felix::recovery::{Provable, Settings};

use crate::build::{Dir, bytes, segment};

#[test]
fn with_all_switches_off() {
    let strict = Settings {
        provable: Provable::STRICT,
        ..Settings::default()
    };
    for (name, dir, expected) in [
        (
            "torn",
            Dir::new().with(0, &segment(0, 4).short_by(1)).mark(0, 32),
            "repaired(torn_tail)",
        ),
        (
            "past the mark",
            Dir::new().with(0, &segment(0, 4).rot(150)).mark(0, 100),
            "refused(RecordChecksum)",
        ),
        (
            "zeros",
            Dir::new()
                .with(0, &segment(0, 4).zeros(600))
                .mark(0, bytes(4)),
            "refused(RecordHeaderChecksum)",
        ),
        (
            "blank inside",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, b"")
                .with(2, &segment(4, 1)),
            "refused(Truncated)",
        ),
        (
            "abandoned",
            Dir::new().with(0, &segment(0, 4)).with_bytes(1, b""),
            "refused(Truncated)",
        ),
        (
            "blank first",
            Dir::new().with_bytes(0, b""),
            "repaired(blank_first)",
        ),
        (
            "index",
            Dir::new()
                .with(0, &segment(0, 4))
                .without_index(0)
                .with(1, &segment(4, 1)),
            "repaired(index_rebuilt)",
        ),
        (
            "offset gap",
            Dir::new()
                .with(0, &segment(0, 4).skip_offset().records(1))
                .mark(0, 32),
            "refused(OffsetOutOfOrder)",
        ),
    ] {
        assert_eq!(dir.plan(&strict).category().to_string(), expected, "{name}");
    }
}

#[test]
fn opting_in_for_a_checksum() {
    let opt_in = Settings {
        provable: Provable::STRICT,
        repair_checksum_tail: true,
        ..Settings::default()
    };
    let last = |position| Dir::new().with(0, &segment(0, 4).rot(position));
    assert_eq!(
        last(bytes(3) + 40).plan(&opt_in).category().to_string(),
        "repaired(checksum_tail)"
    );
    assert_eq!(
        last(bytes(2) + 40).plan(&opt_in).category().to_string(),
        "refused(RecordChecksum)"
    );
    // The refusal says what would allow it.
    let plan = last(bytes(3) + 40).plan(&Settings::default());
    let refusal = plan.refusal.expect("it is refused").to_string();
    assert!(
        refusal.ends_with("; repair_checksum_tail would cut it off"),
        "{refusal}"
    );
}
