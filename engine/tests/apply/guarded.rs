//! What keeps a step from being done.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{Record, RecordKind, SegmentHeader};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::opening::{self, LogKind, Sidecars};
use ondisk_engine::felix::recovery::{Applied, Plan, Scans, Settings, Step, apply};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::mark::MarkFile;

const NAME: &str = "00000000000000000000.log";

/// Three records.
fn whole() -> Vec<u8> {
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    let header = SegmentHeader {
        base_offset: 0,
        created_at_micros: 1,
    };
    let mut bytes = Vec::new();
    header.encode(version, &mut bytes).expect("a header");
    for offset in 0..3 {
        let record = Record {
            kind: RecordKind::Ordinary,
            offset,
            timestamp_micros: 1,
            tag: None,
            payload: b"a record",
        };
        record.encode(version, &mut bytes).expect("a record");
    }
    bytes
}

/// The same, of which the last lost its end.
fn torn() -> Vec<u8> {
    let mut bytes = whole();
    bytes.truncate(bytes.len() - 3);
    bytes
}

fn planned(directory: &Arc<dyn Directory>) -> Plan {
    let shard = Shard::look(Arc::clone(directory), None).expect("it lists");
    let sidecars = Sidecars::load(&shard).expect("they load");
    let scans = Scans::new(&shard, Access::default());
    let opening = opening::open(&scans, &sidecars, LogKind::Stream, &Settings::default());
    opening.expect("a plan").plan.expect("a plan")
}

fn done(plan: &Plan, directory: &Arc<dyn Directory>) -> Result<Applied, StorageError> {
    apply(plan, directory, 7, None, &mut |_| Ok(()))
}

fn place(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Arc<dyn Directory>) {
    let place = tempfile::tempdir().expect("a directory");
    for (name, bytes) in files {
        fs::write(place.path().join(name), bytes).expect("a file");
    }
    let directory = RealDirectory::open(place.path()).expect("it opens");
    (place, directory)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o777
}

#[test]
fn a_guard_stops_the_step_and_all_behind_it() {
    let torn = torn();
    let (place, directory) = place(&[(NAME, &torn)]);
    let plan = planned(&directory);
    let mut seen = Vec::new();
    let stopped = apply(&plan, &directory, 7, None, &mut |step| {
        seen.push(step.clone());
        Err(StorageError::InvalidRange)
    });
    assert!(matches!(stopped, Err(StorageError::InvalidRange)));
    assert_eq!(seen, plan.steps[..1]);
    assert_eq!(fs::read(place.path().join(NAME)).expect("left"), torn);
    assert_eq!(fs::read_dir(place.path()).expect("it lists").count(), 1);
}

#[test]
fn a_segment_that_grew_is_not_cut() {
    let torn = torn();
    let (place, directory) = place(&[(NAME, &torn)]);
    let plan = planned(&directory);
    assert!(
        plan.steps
            .iter()
            .any(|step| matches!(step, Step::Cut { .. })),
        "{plan}"
    );
    let grown = [&torn[..], b"end"].concat();
    fs::write(place.path().join(NAME), &grown).expect("written by somebody else");
    assert!(matches!(
        done(&plan, &directory),
        Err(StorageError::Io {
            operation: "cut",
            ..
        })
    ));
    assert_eq!(fs::read(place.path().join(NAME)).expect("left"), grown);
    done(&planned(&directory), &directory).expect("a plan of what is there now");
}

#[test]
fn what_is_no_segment_any_more_is_left_alone() {
    let whole = whole();
    let newest = SegmentFile::Log { id: 1 };
    let (place, directory) = place(&[(NAME, &whole), (&newest.to_string(), &[0; 40])]);
    let mark = MarkFile::open(&*directory);
    mark.write(0, whole.len() as u64).expect("a mark");
    let plan = planned(&directory);
    let to = SegmentFile::Cut { id: 1, number: 0 };
    let renamed = Step::Rename { from: newest, to };
    assert!(plan.steps.contains(&renamed), "{plan}");
    let segment = place.path().join(newest.to_string());
    fs::remove_file(&segment).expect("removed by somebody else");
    fs::create_dir(&segment).expect("put there by somebody else");
    assert!(matches!(
        done(&plan, &directory),
        Err(StorageError::Io {
            operation: "rename",
            ..
        })
    ));
    assert!(segment.is_dir());
}

/// An index that leads past the damage would hide it from the next open.
#[test]
fn a_segment_that_rotted_meanwhile_gets_no_index() {
    let sound = whole();
    let (place, directory) = place(&[(NAME, &sound)]);
    let plan = planned(&directory);
    assert!(plan.steps.contains(&Step::WriteIndex { segment: 0 }));
    let mut rotten = sound;
    rotten[70] ^= 1;
    fs::write(place.path().join(NAME), &rotten).expect("a file");
    let applied = done(&plan, &directory).expect("an index is derived");
    assert_eq!(applied.without_index, [0]);
    let index = SegmentFile::Index { id: 0 }.to_string();
    assert!(!place.path().join(index).exists());
    assert_eq!(fs::read(place.path().join(NAME)).expect("left"), rotten);
    assert!(planned(&directory).refusal.is_some());
}

#[test]
fn what_has_the_name_of_a_save_stays() {
    let mut torn = torn();
    // Damage past the mark: what is cut is saved.
    let last = torn.len() - 1;
    torn.extend_from_slice(&[1; 40]);
    torn[last] ^= 1;
    let (place, directory) = place(&[(NAME, &torn)]);
    MarkFile::open(&*directory).write(0, 32).expect("a mark");
    let plan = planned(&directory);
    let to = plan.steps.iter().find_map(|step| match step {
        Step::Save { to, .. } => Some(to.to_string()),
        _ => None,
    });
    let to = to.unwrap_or_else(|| panic!("{plan}"));
    std::os::unix::fs::symlink(place.path().join("elsewhere"), place.path().join(&to))
        .expect("a link");
    assert!(done(&plan, &directory).is_err());
    assert!(
        !place.path().join("elsewhere").exists(),
        "nothing is written through a link"
    );
    assert_eq!(fs::read(place.path().join(NAME)).expect("left"), torn);
    // The next plan takes the next free name; what it writes is as private as the segment.
    fs::set_permissions(place.path().join(NAME), fs::Permissions::from_mode(0o600)).expect("ours");
    let applied = done(&planned(&directory), &directory).expect("applied");
    let [saved] = applied.saved[..] else {
        panic!("{applied:?}")
    };
    assert_ne!(saved.to_string(), to);
    let kept = fs::read(place.path().join(saved.to_string())).expect("kept");
    assert!(torn.ends_with(&kept) && !kept.is_empty());
    assert_eq!(mode(&place.path().join(saved.to_string())), 0o600);
    let index = SegmentFile::Index { id: 0 }.to_string();
    assert_eq!(mode(&place.path().join(index)), 0o600);
}

#[test]
fn an_index_that_cannot_be_written_fails_nothing() {
    let (place, directory) = place(&[(NAME, &torn())]);
    let index = place.path().join(SegmentFile::Index { id: 0 }.to_string());
    fs::create_dir(&index).expect("in the way");
    let applied = done(&planned(&directory), &directory).expect("the log does without");
    assert_eq!(applied.without_index, [0]);
    assert!(index.is_dir());
}

#[test]
fn a_fresh_log_begins_at_its_header() {
    let (place, directory) = place(&[(NAME, &[0; 20])]);
    fs::set_permissions(place.path().join(NAME), fs::Permissions::from_mode(0o640)).expect("ours");
    fs::write(
        place.path().join("00000000000000000000.index"),
        b"of another log",
    )
    .expect("a file");
    MarkFile::open(&*directory).write(0, 32).expect("a mark");
    let plan = planned(&directory);
    done(&plan, &directory).expect("applied");
    let bytes = fs::read(place.path().join(NAME)).expect("created");
    let header = SegmentHeader::view(&bytes).expect("a header");
    assert_eq!(
        (
            bytes.len(),
            header.base_offset(),
            header.created_at_micros()
        ),
        (32, 0, 7)
    );
    assert_eq!(bytes[4..6], [0, 3], "version 3");
    assert_eq!(
        mode(&place.path().join(NAME)),
        0o640,
        "as the one that it follows"
    );
    assert!(!place.path().join(Sidecar::DurableMark.file_name()).exists());
    assert!(planned(&directory).is_sound());
}
