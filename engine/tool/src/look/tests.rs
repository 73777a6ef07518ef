//! Looks at directories that do not stand still.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ondisk::FeatureLevels;
use ondisk::felix::{DurableMark, Record, RecordKind, SegmentHeader};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{self, Call, HookedDirectory};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::felix::recovery::Settings;
use ondisk_engine::felix::segment::Access;

use super::{Question, Verdict, Weight, shard};
use crate::exit::Exit;

type Step = Box<dyn Fn(&MemoryDirectory) + Send + Sync>;

/// A directory in which something happens whenever a segment is opened.
fn alive(files: &MemoryDirectory, steps: Vec<Step>) -> Arc<dyn Directory> {
    let (steps, at) = (Mutex::new(VecDeque::from(steps)), files.clone());
    HookedDirectory::over(Arc::new(files.clone()), move |call, name| {
        let opens_segment = call == Call::Open && name.ends_with(".log");
        let next = opens_segment
            .then(|| steps.lock().unwrap().pop_front())
            .flatten();
        if let Some(step) = next {
            step(&at);
        }
        hooked::Verdict::Go
    })
}

fn name(id: u64) -> String {
    format!("{id:020}.log")
}

/// A segment of version 3.
fn segment(base_offset: u64, records: u64) -> Vec<u8> {
    let version = || SegmentHeader::write_version(&FeatureLevels::NONE);
    let mut bytes = Vec::new();
    let header = SegmentHeader {
        base_offset,
        created_at_micros: 0,
    };
    header.encode(version(), &mut bytes).unwrap();
    for offset in base_offset..base_offset + records {
        let record = Record {
            kind: RecordKind::Ordinary,
            offset,
            timestamp_micros: 0,
            tag: None,
            payload: b"payload",
        };
        record.encode(version(), &mut bytes).unwrap();
    }
    bytes
}

fn mark(segment: u64, synced_bytes: u64) -> MemoryFile {
    let mut bytes = Vec::new();
    let mark = DurableMark {
        segment,
        synced_bytes,
    };
    let version = DurableMark::write_version(&FeatureLevels::NONE);
    mark.encode(version, &mut bytes).unwrap();
    MemoryFile::of(&bytes)
}

/// Puts the first `len` bytes of a segment there.
fn put(files: &MemoryDirectory, id: u64, bytes: &[u8], len: usize) {
    files.put(&name(id), MemoryFile::of(&bytes[..len]));
}

/// What a look comes to: the weights of the findings, the exit code, the category.
fn look(files: MemoryDirectory, steps: Vec<Step>) -> (Vec<Weight>, Exit, String) {
    let alive = alive(&files, steps);
    let question = Question {
        settings: Settings {
            verify_all_on_open: true,
            ..Settings::default()
        },
        kind: None,
    };
    let seen = shard(&alive, question, Access::default(), |seen| {
        let verdict = Verdict::of(seen);
        let weights = verdict.reports.iter().map(|&(_, weight)| weight);
        let refused = verdict.refusal.map(|(_, weight)| weight);
        let weights = weights.filter(|weight| *weight != Weight::MatterOfCourse);
        Ok((
            weights.chain(refused).collect(),
            verdict.exit(),
            verdict.category().to_string(),
        ))
    });
    seen.unwrap()
}

fn files() -> MemoryDirectory {
    MemoryDirectory::new("/nowhere/live")
}

#[test]
fn what_a_writer_has_not_flushed_is_no_damage() {
    let bytes = segment(0, 4);
    let files = files();
    put(&files, 0, &bytes, bytes.len() - 3);
    files.put("durable.mark", mark(0, 32));
    let grown = bytes.clone();
    let grows: Step = Box::new(move |files| put(files, 0, &grown, grown.len()));
    let seen = look(files, vec![grows]);
    assert_eq!(
        seen,
        (vec![Weight::Unflushed], Exit::Sound, "open_ok".to_owned())
    );
}

#[test]
fn the_same_where_nobody_writes_is_damage() {
    let bytes = segment(0, 4);
    let files = files();
    put(&files, 0, &bytes, bytes.len() - 3);
    files.put("durable.mark", mark(0, 32));
    let seen = look(files, Vec::new());
    assert_eq!(
        seen,
        (
            vec![Weight::Damage],
            Exit::Damaged,
            "repaired(torn_tail)".to_owned()
        )
    );
}

/// Without a mark nothing tells what was promised, so it is looked at again.
#[test]
fn a_moment_of_a_writers_work_is_looked_at_again() {
    let bytes = segment(0, 4);
    let files = files();
    put(&files, 0, &bytes, bytes.len() - 3);
    let grown = bytes.clone();
    let grows: Step = Box::new(move |files| put(files, 0, &grown, grown.len()));
    let seen = look(files, vec![grows]);
    assert_eq!(seen, (Vec::new(), Exit::Sound, "open_ok".to_owned()));
}

#[test]
fn a_segment_that_goes_is_looked_for_again() {
    let files = files();
    put(&files, 0, &segment(0, 2), 32);
    let newest = segment(2, 2);
    put(&files, 1, &newest, newest.len());
    let goes: Step = Box::new(|files| files.remove(&name(0)));
    let seen = look(files, vec![goes]);
    assert_eq!(seen, (Vec::new(), Exit::Sound, "open_ok".to_owned()));
}

#[test]
fn what_never_stands_still_is_not_known() {
    let bytes = segment(0, 40);
    let files = files();
    put(&files, 0, &bytes, 50);
    let steps = (0..200).map(|step| {
        let bytes = bytes.clone();
        let step: Step = Box::new(move |files| put(files, 0, &bytes, 51 + step));
        step
    });
    let (weights, exit, _) = look(files, steps.collect());
    assert_eq!((weights, exit), (vec![Weight::Moving], Exit::CouldNotLook));
}

/// Rot in a sealed segment is rot, whoever writes to the newest.
#[test]
fn damage_elsewhere_is_damage() {
    let files = files();
    let mut sealed = segment(0, 4);
    sealed[70] ^= 1;
    put(&files, 0, &sealed, sealed.len());
    let newest = segment(4, 4);
    put(&files, 1, &newest, newest.len() - 3);
    files.put("durable.mark", mark(1, 32));
    let grows: Step = Box::new(move |files| put(files, 1, &newest, newest.len()));
    let (weights, exit, category) = look(files, vec![grows]);
    assert_eq!((weights, exit), (vec![Weight::Damage], Exit::Damaged));
    assert!(category.starts_with("refused(Record"), "{category}");
}
