//! Every fixture: planned, applied, planned again, on the operating system's files and in memory.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, read_exact_at};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::opening::{self, LogKind, Opening, Sidecars};
use ondisk_engine::felix::recovery::{Applied, Plan, Report, Scans, Settings, apply};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::mark::MarkFile;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::faulty::Faulty;

/// A shard of the fixtures, with what is expected of it.
struct Fixture {
    name: String,
    expected: Value,
    files: Vec<(String, Vec<u8>)>,
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/fixtures/felix");
    let mut found = Vec::new();
    for group in ["clean", "damaged", "real"] {
        for entry in fs::read_dir(root.join(group)).expect("fixtures") {
            let path = entry.expect("an entry").path();
            let text = fs::read_to_string(path.join("expected.json")).expect("what is right");
            let expected: Value = serde_json::from_str(&text).expect("JSON");
            if expected["directory"] != "shard" {
                continue;
            }
            let shard = path.join("shard");
            let files = fs::read_dir(&shard).map_or_else(
                |_| Vec::new(),
                |entries| {
                    entries
                        .map(|entry| entry.expect("an entry"))
                        .filter(|entry| entry.file_type().expect("a type").is_file())
                        .map(|entry| {
                            let name = entry.file_name().to_string_lossy().into_owned();
                            (name, fs::read(entry.path()).expect("it can be read"))
                        })
                        .collect()
                },
            );
            let name = path.file_name().expect("a name").to_string_lossy();
            let name = format!("{group}-{name}");
            if fs::read_dir(&shard).is_ok_and(|mut entries| {
                entries.any(|entry| entry.expect("an entry").path().is_dir())
            }) {
                // The one with a directory in the place of a segment is refused.
                assert!(!expected["open"]["error"].is_null(), "{name}");
                continue;
            }
            found.push(Fixture {
                name,
                expected,
                files,
            });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

impl Fixture {
    fn settings(&self, verify: bool) -> Settings {
        let settings = &self.expected["settings"];
        Settings {
            index_spacing_bytes: settings["index_spacing_bytes"].as_u64().expect("given"),
            open_at: settings["open_at"].as_u64().expect("given"),
            verify_all_on_open: verify,
            ..Settings::default()
        }
    }

    fn kind(&self) -> LogKind {
        match self.expected["kind"].as_str() {
            Some("cache") => LogKind::Cache,
            Some("counter") => LogKind::Counter,
            _ => LogKind::Stream,
        }
    }

    fn in_memory(&self) -> Arc<dyn Directory> {
        let directory = MemoryDirectory::new("shard");
        for (name, bytes) in &self.files {
            directory.put(name, MemoryFile::of(bytes));
        }
        Arc::new(directory)
    }

    fn on_disk(&self, place: &Path) -> Arc<dyn Directory> {
        let path = place.join(&self.name);
        fs::create_dir(&path).expect("a directory");
        for (name, bytes) in &self.files {
            fs::write(path.join(name), bytes).expect("a file");
        }
        RealDirectory::open(path).expect("it opens")
    }

    fn open(&self, directory: &Arc<dyn Directory>, verify: bool) -> Opening {
        self.with_scans(directory, verify, |_, opening| opening)
    }

    fn with_scans<T>(
        &self,
        directory: &Arc<dyn Directory>,
        verify: bool,
        then: impl FnOnce(&Scans<'_>, Opening) -> T,
    ) -> T {
        let shard = Shard::look(Arc::clone(directory), None).expect("it lists");
        let sidecars = Sidecars::load(&shard).expect("they load");
        let settings = self.settings(verify);
        let scans = Scans::new(&shard, Access::default())
            .collecting_newest_index(settings.index_spacing_bytes);
        let opening = opening::open(&scans, &sidecars, self.kind(), &settings).expect("a plan");
        then(&scans, opening)
    }

    /// Plans and applies; the plan, or none when the shard is refused.
    fn apply(
        &self,
        directory: &Arc<dyn Directory>,
        collected: bool,
    ) -> Option<(Plan, Result<Applied, StorageError>)> {
        self.with_scans(directory, false, |scans, opening| {
            let plan = opening.plan.filter(|_| opening.refusal.is_none())?;
            let scans = collected.then_some(scans);
            let applied = apply(&plan, directory, 7, scans, &mut |_| Ok(()));
            Some((plan, applied))
        })
    }

    /// Whether damage lies where only a look at everything finds it.
    fn is_hidden(&self) -> bool {
        !self.expected["variants"]["verify"]["error"].is_null()
    }

    fn holds_what_is_expected(&self, directory: &dyn Directory, text: &str) {
        for segment in self.expected["open"]["segments"]
            .as_array()
            .expect("a list")
        {
            let id = segment["id"].as_u64().expect("an id");
            let bytes = read(directory, &SegmentFile::Log { id }.to_string()).expect("it stays");
            assert_eq!(
                Some(bytes.len() as u64),
                segment["valid_bytes"].as_u64(),
                "{text} {id}"
            );
            assert_eq!(segment["sha256"], sha256(&bytes), "{text} {id}");
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(directory: &dyn Directory, name: &str) -> Option<Vec<u8>> {
    let file = directory.file(name).ok()?;
    let mut bytes = vec![0; usize::try_from(file.stat().ok()?.len).ok()?];
    read_exact_at(&*file, &mut bytes, 0).ok()?;
    Some(bytes)
}

/// What an open does next: the mark names the active segment, which ends a `short_of_mark`.
fn move_mark(directory: &Arc<dyn Directory>) {
    let shard = Shard::look(Arc::clone(directory), None).expect("it lists");
    let active = shard.segments().next_back().expect("a log has a segment");
    let mark = MarkFile::open(&**directory);
    mark.write(active.id, active.bytes.expect("a file"))
        .expect("written");
    mark.sync().expect("synced");
}

#[test]
fn every_fixture_is_sound_afterwards() {
    let place = tempfile::tempdir().expect("a directory");
    let (mut accepted, mut saved) = (0, 0);
    for fixture in fixtures() {
        for (disk, directory) in [
            ("real", fixture.on_disk(place.path())),
            ("memory", fixture.in_memory()),
        ] {
            let text = format!("{} [{disk}]", fixture.name);
            // With what the plan's scans collected, and without: the second scan makes the same index.
            let Some((plan, applied)) = fixture.apply(&directory, disk == "real") else {
                assert!(!fixture.expected["open"]["error"].is_null(), "{text}");
                for (name, bytes) in &fixture.files {
                    assert_eq!(
                        read(&*directory, name).as_ref(),
                        Some(bytes),
                        "{text} {name}"
                    );
                }
                continue;
            };
            accepted += 1;
            let applied = applied.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(applied.without_index.is_empty(), "{text}");
            let planned: Vec<_> = plan.reports.iter().flat_map(Report::saved).collect();
            assert_eq!(applied.saved, planned, "{text}");
            for file in planned {
                saved += 1;
                let kept = read(&*directory, &file.to_string()).expect("it is kept");
                let original = fixture
                    .files
                    .iter()
                    .find(|(name, _)| *name == SegmentFile::Log { id: file.id() }.to_string());
                let original = &original.expect("the segment it was taken from").1;
                assert!(
                    !kept.is_empty() && original.ends_with(&kept),
                    "{text} {file}"
                );
            }
            fixture.holds_what_is_expected(&*directory, &text);
            move_mark(&directory);
            let again = fixture.open(&directory, !fixture.is_hidden());
            let next = again.plan.as_ref().expect("a plan");
            assert!(again.is_sound(), "{text}:\n{plan}\nthen\n{next}");
            let log = next.log.as_ref().expect("a log");
            let wanted = &fixture.expected["open"];
            assert_eq!(Some(log.base), wanted["base"].as_u64(), "{text}");
            assert_eq!(Some(log.tail), wanted["tail"].as_u64(), "{text}");
            let newest = log.segments.last().expect("a log has a segment").id;
            let name = SegmentFile::Index { id: newest }.to_string();
            let index = read(&*directory, &name).expect("the active one has an index");
            if let Some(hash) = fixture.expected["indexes"][&name]["sha256"].as_str() {
                assert_eq!(sha256(&index), hash, "{text}");
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
    assert!(saved >= 10, "{saved}");
}

/// No operation that fails loses anything: what a second attempt comes to is what the first would have.
#[test]
fn a_failure_anywhere_loses_nothing() {
    let mut failures = 0;
    for fixture in fixtures() {
        // Where a failure leaves what joins the copies, that goes as their head: another way to the same records.
        let offloaded = fixture.expected["category"]
            .as_str()
            .is_some_and(|it| it.contains("offloaded"));
        if !fixture.expected["open"]["error"].is_null() || offloaded {
            continue;
        }
        for operations in 0.. {
            let inner = fixture.in_memory();
            let faulty = Faulty::after(operations, Arc::clone(&inner));
            let (plan, applied) = fixture.apply(&faulty.directory, true).expect("accepted");
            let text = format!("{} after {operations}", fixture.name);
            if !faulty.failed() {
                assert!(applied.is_ok(), "{text}");
                break;
            }
            failures += 1;
            if applied.is_err() {
                assert!(!plan.steps.is_empty(), "{text}");
            }
            let (_, second) = fixture
                .apply(&inner, true)
                .unwrap_or_else(|| panic!("{text}: refused"));
            assert!(second.is_ok(), "{text}: {second:?}");
            fixture.holds_what_is_expected(&*inner, &text);
        }
    }
    assert!(failures > 200, "{failures}");
}
