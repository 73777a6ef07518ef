//! The repair decision (Felix 7.3).

use ondisk::felix::DurableMark;
use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::mark::Mark;
use ondisk_engine::felix::recovery::{OptIn, Rule, Rules, Settings, Verdict, judge};
use ondisk_engine::felix::segment::Failure;

use crate::build::{Dir, RECORD, bytes, reports, segment, steps};

const OFF: Rules = Rules {
    past_durable_mark: false,
    checksum_tail: false,
    zero_tail: false,
    zero_tail_without_mark: false,
};
const DEFAULT: Rules = Rules {
    past_durable_mark: true,
    zero_tail: true,
    ..OFF
};
const OPT_IN: Rules = Rules {
    checksum_tail: true,
    ..OFF
};

const HEADER: CorruptionKind = CorruptionKind::RecordHeaderChecksum {
    expected: 1,
    found: 2,
};
const BODY: CorruptionKind = CorruptionKind::RecordChecksum {
    expected: 1,
    found: 2,
};
const ORDER: CorruptionKind = CorruptionKind::OffsetOutOfOrder {
    expected: 8,
    found: 9,
};
const LARGE: CorruptionKind = CorruptionKind::RecordTooLarge {
    payload_len: 1 << 27,
    limit: 1 << 26,
};
const FLAGS: CorruptionKind = CorruptionKind::RecordFlags { found: 0xc000_0000 };
const TORN: CorruptionKind = CorruptionKind::Truncated {
    needed: 68,
    available: 60,
};
const NEWER: CorruptionKind = CorruptionKind::RecordVersion {
    found: 0x2000_0008,
    version: 3,
    needs: 4,
};
const LENGTH: CorruptionKind = CorruptionKind::GenerationStartLength { payload_len: 7 };
const TAG: CorruptionKind = CorruptionKind::RecordTag { len: 0 };
const OVERFLOW: CorruptionKind = CorruptionKind::OffsetOverflow { offset: u64::MAX };

const CUT_TORN: Verdict = Verdict::Cut(Rule::TornTail);
const CUT_PAST: Verdict = Verdict::Cut(Rule::PastDurableMark);
const CUT_SUM: Verdict = Verdict::Cut(Rule::ChecksumTail);
const CUT_ZERO: Verdict = Verdict::Cut(Rule::ZeroTail);
const NO: Verdict = Verdict::Refuse(None);
const NO_SUM: Verdict = Verdict::Refuse(Some(OptIn::RepairChecksumTail));
const NO_ZERO: Verdict = Verdict::Refuse(Some(OptIn::ZeroTailWithoutMark));

fn mark(synced_bytes: u64) -> Mark {
    Mark(Some(DurableMark {
        segment: 5,
        synced_bytes,
    }))
}

/// Decides on a failure at 1000 in segment 5.
fn decide(
    kind: CorruptionKind,
    end: Option<u64>,
    eof: u64,
    rules: Rules,
    mark: Mark,
    zeros: Option<u64>,
) -> Verdict {
    judge(
        &Failure {
            position: 1000,
            kind,
            end,
        },
        5,
        eof,
        rules,
        mark,
        || Ok(zeros),
    )
    .expect("zeros can be read")
}

#[test]
fn the_first_rule_that_fits() {
    let none = Mark(None);
    let lags = mark(500);
    let reaches = mark(2000);
    for (name, kind, end, eof, rules, mark, expected) in [
        (
            "0: version, past the mark",
            NEWER,
            Some(1036),
            4096,
            DEFAULT,
            lags,
            NO,
        ),
        (
            "0: generation start, at the end",
            LENGTH,
            Some(1035),
            1035,
            OPT_IN,
            none,
            NO,
        ),
        ("0: tag", TAG, Some(1048), 1048, OPT_IN, none, NO),
        ("0: overflow", OVERFLOW, Some(1028), 1028, OPT_IN, none, NO),
        (
            "1: torn, whatever is off",
            TORN,
            Some(1068),
            1060,
            OFF,
            none,
            CUT_TORN,
        ),
        (
            "1: torn, below the mark",
            TORN,
            Some(1068),
            1060,
            DEFAULT,
            reaches,
            CUT_TORN,
        ),
        (
            "2: header, at the mark exactly",
            HEADER,
            None,
            4096,
            DEFAULT,
            mark(1000),
            CUT_PAST,
        ),
        (
            "2: header, a byte below the mark",
            HEADER,
            None,
            4096,
            DEFAULT,
            mark(1001),
            NO,
        ),
        ("2: body", BODY, Some(1068), 4096, DEFAULT, lags, CUT_PAST),
        ("2: order", ORDER, Some(1068), 4096, DEFAULT, lags, CUT_PAST),
        (
            "2: length",
            LARGE,
            Some(1 << 28),
            4096,
            DEFAULT,
            lags,
            CUT_PAST,
        ),
        ("2: flags", FLAGS, Some(1068), 4096, DEFAULT, lags, CUT_PAST),
        ("2: no mark", BODY, Some(1068), 4096, DEFAULT, none, NO),
        (
            "2: before 3",
            BODY,
            Some(1068),
            1068,
            Rules {
                checksum_tail: true,
                ..DEFAULT
            },
            lags,
            CUT_PAST,
        ),
        (
            "3: header at the end",
            HEADER,
            None,
            1028,
            OPT_IN,
            none,
            CUT_SUM,
        ),
        (
            "3: header, a byte behind it",
            HEADER,
            None,
            1029,
            OPT_IN,
            none,
            NO,
        ),
        (
            "3: body at the end",
            BODY,
            Some(1068),
            1068,
            OPT_IN,
            none,
            CUT_SUM,
        ),
        (
            "3: body, a byte behind it",
            BODY,
            Some(1068),
            1069,
            OPT_IN,
            none,
            NO,
        ),
        (
            "3: order at the end",
            ORDER,
            Some(1068),
            1068,
            OPT_IN,
            none,
            CUT_SUM,
        ),
        (
            "3: order, a byte behind it",
            ORDER,
            Some(1068),
            1069,
            OPT_IN,
            none,
            NO,
        ),
        (
            "3: length past the end",
            LARGE,
            Some(1 << 28),
            1028 + (1 << 27) - 1,
            OPT_IN,
            none,
            CUT_SUM,
        ),
        (
            "3: length up to the end",
            LARGE,
            Some(1 << 28),
            1028 + (1 << 27),
            OPT_IN,
            none,
            NO,
        ),
        ("3: flags never", FLAGS, Some(1068), 1068, OPT_IN, none, NO),
        (
            "5: a last body, not opted in",
            BODY,
            Some(1068),
            1068,
            OFF,
            none,
            NO_SUM,
        ),
        ("5: in the middle", BODY, Some(1068), 4096, OFF, none, NO),
    ] {
        assert_eq!(
            decide(kind, end, eof, rules, mark, None),
            expected,
            "{name}"
        );
    }
}

#[test]
fn zeros_at_the_end() {
    // The mark ends inside the record, so rule 2 does not hold.
    let inside = mark(1001);
    let none = Mark(None);
    let without = Rules {
        zero_tail_without_mark: true,
        ..DEFAULT
    };
    for (name, kind, end, eof, rules, mark, zeros, expected) in [
        (
            "the example: zeros from the record on",
            HEADER,
            None,
            4096,
            without,
            none,
            Some(1000),
            CUT_ZERO,
        ),
        (
            "the example: data up to 1530",
            BODY,
            Some(3000),
            4096,
            DEFAULT,
            inside,
            Some(1531),
            CUT_ZERO,
        ),
        (
            "the example: a payload that ends in zeros",
            BODY,
            Some(3000),
            3000,
            DEFAULT,
            inside,
            Some(2900),
            NO_SUM,
        ),
        (
            "the last byte is not zero",
            BODY,
            Some(3000),
            4096,
            DEFAULT,
            inside,
            None,
            NO,
        ),
        (
            "the mark vouches for the zeros",
            BODY,
            Some(3000),
            4096,
            DEFAULT,
            mark(1532),
            Some(1531),
            NO,
        ),
        (
            "the mark ends where they begin",
            BODY,
            Some(3000),
            4096,
            DEFAULT,
            mark(1531),
            Some(1531),
            CUT_ZERO,
        ),
        (
            "a sector that ends with the record",
            BODY,
            Some(2048),
            4096,
            DEFAULT,
            inside,
            Some(2000),
            NO,
        ),
        (
            "a byte more of record",
            BODY,
            Some(2049),
            4096,
            DEFAULT,
            inside,
            Some(2000),
            CUT_ZERO,
        ),
        (
            "a bad header: only 28 bytes count",
            HEADER,
            None,
            4096,
            DEFAULT,
            inside,
            Some(1020),
            CUT_ZERO,
        ),
        (
            "a bad header: no whole sector",
            HEADER,
            None,
            4096,
            DEFAULT,
            inside,
            Some(1025),
            NO,
        ),
        (
            "no mark",
            HEADER,
            None,
            4096,
            DEFAULT,
            none,
            Some(1000),
            NO_ZERO,
        ),
        (
            "flags",
            FLAGS,
            Some(3000),
            4096,
            DEFAULT,
            inside,
            Some(1531),
            CUT_ZERO,
        ),
        (
            "switched off",
            HEADER,
            None,
            4096,
            OFF,
            inside,
            Some(1000),
            NO,
        ),
        (
            "before the opt-in of 3",
            BODY,
            Some(4096),
            4096,
            DEFAULT,
            inside,
            Some(1531),
            CUT_ZERO,
        ),
    ] {
        assert_eq!(
            decide(kind, end, eof, rules, mark, zeros),
            expected,
            "{name}"
        );
    }
}

#[test]
fn marks_of_other_segments() {
    let newer = Mark(Some(DurableMark {
        segment: 6,
        synced_bytes: 32,
    }));
    assert_eq!(
        decide(BODY, Some(1068), 4096, DEFAULT, newer, Some(1000)),
        NO,
        "all of it is vouched for"
    );
    let older = Mark(Some(DurableMark {
        segment: 4,
        synced_bytes: 9000,
    }));
    assert_eq!(
        decide(BODY, Some(1068), 4096, DEFAULT, older, None),
        CUT_PAST,
        "nothing of it is vouched for"
    );
}

#[test]
fn what_is_cut_is_kept_but_for_a_torn_tail() {
    let torn = Dir::new().with(0, &segment(0, 4).short_by(20)).mark(0, 100);
    let plan = torn.plan(&Settings::default());
    let cause = "needs 68 bytes, 48 are there";
    assert_eq!(
        reports(&plan),
        [format!(
            "torn_tail in segment 0, cut at byte 236, 48 bytes dropped: {cause}"
        )]
    );
    assert_eq!(steps(&plan), ["cut segment 0 to 236 bytes, sync it"]);

    let rotten = Dir::new()
        .with(0, &segment(0, 4).rot(bytes(2) + 40))
        .mark(0, 100);
    let plan = rotten.plan(&Settings::default());
    let kept = "00000000000000000000.cut-168";
    assert!(
        reports(&plan)[0].ends_with(&format!("kept as {kept}")),
        "{:?}",
        reports(&plan)
    );
    let save = format!("copy 136 bytes of segment 0 from byte 168 on to {kept}, sync both names");
    assert_eq!(
        steps(&plan),
        [save.as_str(), "cut segment 0 to 168 bytes, sync it"]
    );
    assert_eq!(plan.log.expect("a log").tail, 2);
}

#[test]
fn a_cut_below_the_mark_says_so() {
    for (synced, below) in [
        (0, false),
        (bytes(3), false),
        (bytes(3) + 1, true),
        (bytes(4), true),
    ] {
        let dir = Dir::new()
            .with(0, &segment(0, 4).short_by(1))
            .mark(0, synced);
        let plan = dir.plan(&Settings::default());
        let says = reports(&plan)[0].contains("below the durable mark");
        assert_eq!(says, below, "mark at {synced}");
        // The cut explains what is missing.
        assert_eq!(
            plan.category().to_string(),
            "repaired(torn_tail)",
            "mark at {synced}"
        );
    }
}

#[test]
fn only_the_newest_segment_is_cut() {
    let dir = Dir::new()
        .with(0, &segment(0, 4).short_by(1))
        .with(1, &segment(4, 1))
        .mark(1, 32);
    assert_eq!(dir.comes_to(), "refused(Truncated)");
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .with(1, &segment(4, 2).short_by(1))
        .mark(1, 32);
    assert_eq!(dir.comes_to(), "repaired(torn_tail)");
    assert_eq!(
        dir.plan(&Settings::default()).log.expect("a log").segments[1].valid_bytes,
        32 + RECORD
    );
}
