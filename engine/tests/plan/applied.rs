//! A plan that was applied leaves nothing to plan: over thousands of directories with random damage, whatever is accepted
//! is sound afterwards, holds the same records, and has lost no byte but torn tails and what has a copy elsewhere.

use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{Index, IndexEntry};
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::disk::{Directory, read_exact_at};
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{
    Plan, Provable, Removal, Report, Rule, Scans, Settings, Step,
};
use ondisk_engine::felix::segment::Access;

use crate::build::{Dir, SegmentBytes};

fn read(dir: &Dir, name: &str) -> Option<Vec<u8>> {
    let file = dir.0.file(name).ok()?;
    let mut bytes = vec![0; usize::try_from(file.stat().ok()?.len).ok()?];
    read_exact_at(&*file, &mut bytes, 0).ok()?;
    Some(bytes)
}

/// Does what a plan says, and what an open writes after it.
fn apply(dir: Dir, plan: &Plan) -> Dir {
    follow(&dir, &plan.steps);
    let after = dir.look();
    let active = after
        .segments()
        .next_back()
        .expect("an open log has a segment");
    dir.mark(active.id, active.bytes.expect("a regular file"))
}

/// Takes steps in order.
fn follow(dir: &Dir, steps: &[Step]) {
    let log = |segment: u64| SegmentFile::Log { id: segment }.to_string();
    for step in steps {
        match step {
            Step::Save {
                segment,
                from,
                bytes,
                to,
            } => {
                let whole = read(dir, &log(*segment)).expect("the segment is there");
                let kept = &whole[usize::try_from(*from).expect("small")..];
                assert_eq!(kept.len() as u64, *bytes, "all up to the end is kept");
                assert!(
                    read(dir, &to.to_string()).is_none(),
                    "nothing is overwritten"
                );
                dir.0.put(&to.to_string(), MemoryFile::of(kept));
            }
            Step::Cut { segment, position } => {
                let whole = read(dir, &log(*segment)).expect("the segment is there");
                let left = &whole[..usize::try_from(*position).expect("small")];
                dir.0.put(&log(*segment), MemoryFile::of(left));
            }
            Step::Unlink { file } => {
                assert!(
                    read(dir, &file.to_string()).is_some(),
                    "{file} is there to be unlinked"
                );
                dir.0.remove(&file.to_string());
            }
            Step::Rename { from, to } => {
                let bytes = read(dir, &from.to_string()).expect("it is there");
                assert!(
                    read(dir, &to.to_string()).is_none(),
                    "nothing is overwritten"
                );
                dir.0.remove(&from.to_string());
                dir.0.put(&to.to_string(), MemoryFile::of(&bytes));
            }
            Step::RemoveMark => dir.0.remove(Sidecar::DurableMark.file_name()),
            Step::Create {
                segment,
                base_offset,
            } => {
                dir.0.put(
                    &log(*segment),
                    MemoryFile::of(&SegmentBytes::new(3, *base_offset).bytes),
                );
            }
            Step::WriteIndex { segment } => {
                let index = rebuilt(dir, *segment);
                dir.0.put(
                    &SegmentFile::Index { id: *segment }.to_string(),
                    MemoryFile::of(&index),
                );
            }
            _ => {}
        }
    }
}

/// The index that a full scan makes.
fn rebuilt(dir: &Dir, segment: u64) -> Vec<u8> {
    let shard = dir.look();
    let mut source = shard
        .open(SegmentFile::Log { id: segment }, Access::default())
        .expect("it opens");
    let mut entries = Vec::new();
    let scan = ondisk_engine::felix::segment::full(&mut source, &mut |met| {
        entries.push(IndexEntry {
            offset: met.record.offset(),
            position: met.position,
        });
        ControlFlow::Continue(())
    });
    let scan = scan
        .expect("memory")
        .expect("a plan rebuilds indexes of sound segments");
    let mut bytes = Vec::new();
    let index = Index {
        base_offset: scan.header.base_offset,
        entries,
    };
    index
        .encode(Index::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an index");
    bytes
}

/// All records of the log, or what stops the read of one that an open did not look at.
fn records(dir: &Dir, plan: &Plan) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let shard = dir.look();
    let scans = Scans::new(&shard, Access::default());
    let mut found = Vec::new();
    let log = plan.log.as_ref().expect("a log");
    let read = Reader::new(&scans, log).read(log.base, &mut |_, met| {
        found.push((met.record.offset(), met.record.payload().to_vec()));
        ControlFlow::Continue(())
    });
    read.expect("memory can be read")
        .map(|()| found)
        .map_err(|corruption| corruption.to_string())
}

/// A xorshift, so that a case is its number.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn size(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).expect("small")
    }
}

/// A log of a few small segments, then a few kinds of damage, most of them at its end.
fn damaged(random: &mut Random) -> Dir {
    let mut segments: Vec<(u64, SegmentBytes)> = Vec::new();
    let (mut id, mut base) = (random.below(3), random.below(3) * 100);
    for _ in 0..random.below(5) {
        let records = random.below(5);
        segments.push((id, crate::build::segment(base, records)));
        base += records;
        id += 1 + u64::from(random.one_in(6));
    }
    let mut mark = segments
        .last()
        .map(|(id, segment)| (*id, segment.bytes.len() as u64));
    let copy = |(id, segment): &(u64, SegmentBytes)| {
        let records = (segment.bytes.len() as u64 - 32) / crate::build::RECORD;
        let last = segment.next.checked_sub(1)?;
        (records > 0).then(|| {
            (
                *id,
                segment.next - records,
                last,
                segment.bytes.len() as u64,
            )
        })
    };
    let copies: Vec<_> = segments.iter().filter_map(copy).collect();
    for _ in 0..random.below(4) {
        let Some(which) = segments.len().checked_sub(1) else {
            break;
        };
        let which = if random.one_in(4) {
            random.size(which + 1)
        } else {
            which.saturating_sub(random.size(2))
        };
        let bytes = &mut segments[which].1.bytes;
        let near_the_end = bytes.len() - random.size(bytes.len().min(150) + 1);
        match random.below(9) {
            0 | 1 => bytes.truncate(near_the_end),
            2 if near_the_end < bytes.len() => bytes[near_the_end] ^= 1 << random.below(8),
            3 => bytes[near_the_end..].fill(0),
            4 => bytes.extend(std::iter::repeat_n(0, random.size(1200))),
            5 => bytes.truncate(random.size(33)),
            6 => bytes.extend((0..random.size(90)).map(|byte| byte.to_le_bytes()[0])),
            7 if segments.len() > 1 => drop(segments.remove(which)),
            _ => {
                let (last, segment) = segments.last().expect("there is one");
                let base = base.saturating_sub(random.below(3)) + random.below(2);
                let blank = SegmentBytes {
                    bytes: vec![0; random.size(60)],
                    ..segment.clone()
                };
                let next = if random.one_in(2) {
                    blank
                } else {
                    crate::build::segment(base, random.below(2))
                };
                segments.push((last + 1, next));
            }
        }
    }
    match random.below(4) {
        0 => mark = None,
        1 => mark = mark.map(|(id, bytes)| (id, bytes.saturating_sub(random.below(200)))),
        2 => {
            mark = segments
                .get(random.size(segments.len() + 1))
                .map(|(id, bytes)| (*id, random.below(bytes.bytes.len() as u64 + 70)))
        }
        _ => {}
    }
    let mut dir = Dir::new();
    for (id, segment) in &segments {
        dir = dir.with(*id, segment);
        if random.one_in(8) {
            dir = dir.without_index(*id);
        }
        if random.one_in(12) {
            dir.0.put(
                &SegmentFile::Cut {
                    id: *id,
                    number: random.below(300),
                }
                .to_string(),
                MemoryFile::of(b"old"),
            );
        }
    }
    if random.one_in(10) {
        dir = dir.with_temporary(
            random.below(9),
            &crate::build::segment(random.below(50), random.below(2)).bytes,
        );
    }
    if let Some((segment, bytes)) = mark {
        dir = dir.mark(segment, bytes);
    }
    if random.one_in(3) {
        dir = dir.manifest(&copies);
    }
    dir
}

fn settings(random: &mut Random) -> Settings {
    let provable = if random.one_in(6) {
        Provable::STRICT
    } else {
        Provable::ALL
    };
    Settings {
        repair_checksum_tail: random.one_in(4),
        verify_all_on_open: random.one_in(3),
        provable: Provable {
            zero_tail_without_mark: random.one_in(4),
            ..provable
        },
        index_spacing_bytes: 1 + random.below(200),
        open_at: random.below(2) * 77,
    }
}

#[test]
fn what_is_accepted_is_sound_afterwards() {
    let (mut accepted, mut repaired, mut names) = (0, 0, std::collections::BTreeSet::new());
    for case in 1..=8_000_u64 {
        let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let dir = damaged(&mut random);
        let settings = settings(&mut random);
        let plan = dir.plan(&settings);
        let before: Vec<(SegmentFile, u64)> = plan.listed.clone();
        if plan.refusal.is_some() {
            assert!(plan.steps.is_empty() && plan.log.is_none(), "case {case}");
            continue;
        }
        accepted += 1;
        names.extend(plan.reports.iter().map(Report::name));
        repaired += usize::from(
            plan.reports
                .iter()
                .any(|report| report.is_damage() && report.is_repair()),
        );
        let log = plan.log.clone().expect("an accepted plan has a log");
        assert!(log.base <= log.tail, "case {case}");
        for pair in log.segments.windows(2) {
            assert!(
                pair[0].id < pair[1].id && pair[0].next_offset == pair[1].base_offset,
                "case {case}"
            );
        }
        let held = records(&dir, &plan);

        let dir = apply(dir, &plan);
        let again = dir.plan(&settings);
        assert!(again.is_sound(), "case {case}:\n{plan}\nthen\n{again}");
        let log_again = again.log.as_ref().expect("a sound plan has a log");
        assert_eq!(
            (log_again.base, log_again.tail),
            (log.base, log.tail),
            "case {case}:\n{plan}\n{again}"
        );
        assert_eq!(records(&dir, &again), held, "case {case}:\n{plan}");
        keeps_every_byte(&dir, &plan, &before, case);
    }
    // The damage is of a kind that both sides are met often, and each repair at least once.
    assert!(accepted > 2_000 && accepted < 7_500, "{accepted}");
    assert!(repaired > 1_000, "{repaired}");
    assert_eq!(names.len(), 12, "{names:?}");
}

/// What was listed is either there, or beside it, or has a copy, or is a torn tail, or is not more than a header.
fn keeps_every_byte(dir: &Dir, plan: &Plan, before: &[(SegmentFile, u64)], case: u64) {
    for &(file, bytes) in before {
        let SegmentFile::Log { id } = file else {
            continue;
        };
        let left = read(dir, &file.to_string()).map_or(0, |bytes| bytes.len() as u64);
        let (mut kept, mut free) = (0, 0);
        for report in &plan.reports {
            match report {
                Report::Cut(cut) if cut.segment == id && cut.rule == Rule::TornTail => {
                    free += cut.bytes
                }
                Report::Removed(gone)
                    if gone.segment == id && gone.why == Removal::OffloadedGap =>
                {
                    free += gone.bytes
                }
                Report::Removed(gone) if gone.segment == id && gone.saved.is_none() => {
                    assert!(gone.bytes <= 32, "case {case}");
                    free += gone.bytes;
                }
                Report::UnfinishedRoll(roll)
                    if roll.deleted == Some(id) && roll.saved_segment.is_none() =>
                {
                    free += 32
                }
                _ => {}
            }
            for saved in report.saved().iter().filter(|saved| saved.id() == id) {
                kept += read(dir, &saved.to_string()).expect("it was kept").len() as u64;
            }
        }
        let fresh = plan
            .steps
            .iter()
            .any(|step| matches!(step, Step::Create { segment, .. } if *segment == id));
        let left = if fresh { 0 } else { left };
        assert!(
            left + kept + free >= bytes,
            "case {case}, {file}: {left} left, {kept} kept, {free} free of {bytes}\n{plan}"
        );
    }
}

#[test]
fn the_model_applies_what_it_is_told() {
    let dir = Dir(Arc::clone(
        &Dir::new()
            .with(0, &crate::build::segment(0, 3).short_by(5))
            .mark(0, 40)
            .0,
    ));
    let plan = dir.plan(&Settings::default());
    let dir = apply(dir, &plan);
    assert_eq!(
        read(&dir, "00000000000000000000.log").map(|bytes| bytes.len()),
        Some(168)
    );
}

#[test]
fn a_crash_between_two_steps_loses_nothing() {
    for case in 1..=6_000_u64 {
        let make = || {
            let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            (damaged(&mut random), settings(&mut random))
        };
        let (dir, settings) = make();
        let plan = dir.plan(&settings);
        let Some(log) = &plan.log else { continue };
        let held = records(&dir, &plan);
        // One step alone is done or not.
        for done in 1..plan.steps.len() {
            let (dir, _) = make();
            follow(&dir, &plan.steps[..done]);
            let again = dir.plan(&settings);
            let text = || format!("case {case}, {done} steps:\n{plan}\nthen\n{again}");
            if offloads(&again) && !offloads(&plan) {
                // What is left joins the copies of what is missing, and goes as their head: nothing is lost either way.
                continue;
            }
            let Some(after) = &again.log else {
                panic!("{}", text())
            };
            assert_eq!((after.base, after.tail), (log.base, log.tail), "{}", text());
            assert_eq!(records(&dir, &again), held, "{}", text());
            let dir = apply(dir, &again);
            assert!(dir.plan(&settings).is_sound(), "{}", text());
        }
    }
}

fn offloads(plan: &Plan) -> bool {
    let gap = |report: &Report| matches!(report, Report::Removed(gone) if gone.why == Removal::OffloadedGap);
    plan.reports.iter().any(gap)
}
