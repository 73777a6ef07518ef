//! What readers hold of the system.

use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Bound, Budget, Config, Environment, Log, ReadMode};

use crate::bench::{Place, fill, offsets, payload, small};

/// Twelve segments of ten records, the last one active.
fn twelve(place: &Place, config: Config) -> Log {
    let log = place.open(Config {
        segment_size_bytes: 32 + 10 * 128,
        index_spacing_bytes: 300,
        ..config
    });
    fill(&log, [100; 120]);
    log
}

/// Segments that the system says are mapped or open in this process, without what a log writes to.
#[cfg(target_os = "linux")]
fn held(place: &Place) -> (Vec<String>, Vec<String>) {
    let path = place.path.as_ref().expect("on the real disk").path();
    let path = path.canonicalize().expect("it is there");
    let inside = |name: &str| {
        let at = name.find(&format!("{}/", path.display()))?;
        let file = name[at..].rsplit('/').next()?.to_owned();
        file.contains(".log").then_some(file)
    };
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the maps");
    let mapped = maps.lines().filter_map(inside).collect();
    let open = std::fs::read_dir("/proc/self/fd").expect("the descriptors");
    let open = open
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|target| inside(target.to_str()?))
        .collect();
    (mapped, open)
}

fn with_budget(place: Place, budget: Budget) -> Place {
    Place {
        environment: Environment {
            budget,
            ..Environment::default()
        },
        ..place
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_least_recently_used_is_closed() {
    let place = Place::mapped();
    let log = twelve(
        &place,
        Config {
            max_open_sealed_segments: 3,
            ..small()
        },
    );
    let read = |segment: u64| {
        let mut records = log
            .read(segment * 10 + 5, Bound::Tail)
            .expect("it is there");
        let record = records.next().expect("it reads").expect("one more");
        assert_eq!(record.payload(), payload(segment * 10 + 5, 100));
    };
    let name = |segment: u64| format!("{segment:020}.log");
    let mapped = || {
        let mut mapped = held(&place).0;
        mapped.sort();
        mapped
    };
    for segment in 0..3 {
        read(segment);
    }
    assert_eq!(mapped(), [name(0), name(1), name(2)]);
    // Used again, in another order than they were opened: 1 is the one that was not used for longest.
    for segment in [1, 2, 0, 2] {
        read(segment);
    }
    read(3);
    assert_eq!(mapped(), [name(0), name(2), name(3)]);
    read(4);
    assert_eq!(mapped(), [name(2), name(3), name(4)]);
    // The active one does not count.
    read(11);
    assert_eq!(mapped(), [name(2), name(3), name(4), name(11)]);
    // What somebody looks at stays as long as he does.
    let kept = log.read_range(20, 1).expect("it reads");
    for segment in 5..9 {
        read(segment);
    }
    assert!(mapped().contains(&name(2)));
    assert_eq!(kept[0].payload(), payload(20, 100));
    drop(kept);
    assert_eq!(mapped(), [name(6), name(7), name(8), name(11)]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_segment_that_is_sealed_meanwhile_counts() {
    let place = Place::mapped();
    let log = place.open(Config {
        segment_size_bytes: 32 + 10 * 128,
        max_open_sealed_segments: 2,
        ..small()
    });
    for _ in 0..20 {
        fill(&log, [100; 10]);
        // Opened while it is appended to.
        assert_eq!(offsets(&log, log.tail() - 1).len(), 1);
    }
    let (mapped, _) = held(&place);
    assert!(mapped.len() <= 3, "{mapped:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_more_than_the_budget() {
    for (mappings, descriptors) in [(0, 0), (0, 2), (3, 0), (5, 5), (1000, 1000)] {
        for mode in [ReadMode::Mapped, ReadMode::Pread] {
            let budget = Budget::new(mappings, descriptors);
            let place = with_budget(Place::real("real", mode), budget.clone());
            let log = twelve(&place, small());
            let (_, writing) = held(&place);
            let mut iterators: Vec<_> = (0..12)
                .map(|segment| log.read(segment * 10, Bound::Tail).expect("it is there"))
                .collect();
            for iterator in &mut iterators {
                let record = iterator.next().expect("it reads").expect("one more");
                assert_eq!(record.payload(), payload(record.offset(), 100));
            }
            let (held_mappings, held_descriptors) = budget.held();
            assert!(held_mappings <= mappings && held_descriptors <= descriptors);
            let (mapped, open) = held(&place);
            assert!(mapped.len() <= mappings, "{mapped:?}");
            assert!(open.len() <= writing.len() + descriptors, "{open:?}");
            if mode == ReadMode::Mapped && mappings == 1000 {
                assert_eq!(mapped.len(), 12);
            }
            for (segment, iterator) in (0..).zip(&mut iterators) {
                assert_eq!(crate::bench::rest(iterator).len(), 119 - segment * 10);
            }
            let (held_mappings, held_descriptors) = budget.held();
            assert!(held_mappings <= mappings && held_descriptors <= descriptors);
            drop((iterators, log));
            assert_eq!(budget.held(), (0, 0));
        }
    }
}

#[test]
fn one_budget_for_many_logs() {
    let budget = Budget::new(4, 4);
    let environment = Environment {
        budget: budget.clone(),
        ..Environment::default()
    };
    let places: Vec<_> = (0..6)
        .map(|_| tempfile::tempdir().expect("a directory"))
        .collect();
    let logs: Vec<_> = places
        .iter()
        .map(|place| {
            let directory: Arc<dyn Directory> =
                RealDirectory::open(place.path()).expect("it opens");
            Log::open_in(directory, small(), &environment).expect("it opens")
        })
        .collect();
    for log in &logs {
        fill(log, [300; 20]);
        assert_eq!(offsets(log, 0).len(), 20);
        assert!(budget.held().0 <= 4 && budget.held().1 <= 4);
    }
    assert!(budget.held().0 > 0);
    drop(logs);
    assert_eq!(budget.held(), (0, 0));
}

#[test]
fn thousands_of_segments() {
    let place = Place::memory();
    let log = place.open(Config {
        segment_size_bytes: 60,
        max_open_sealed_segments: 8,
        ..small()
    });
    fill(&log, [0; 5000]);
    assert_eq!(log.metrics().segments, 5000);
    assert_eq!(offsets(&log, 0).len(), 5000);
    for from in (0..5000).step_by(331) {
        let read = log.read_range(from, 0).expect("it reads");
        assert_eq!(read[0].offset(), from);
    }
}
