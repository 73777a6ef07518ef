//! Where acknowledged records may be lost, what was promised is given up first.

use std::fs;
use std::path::Path;

use ondisk::FeatureLevels;
use ondisk::felix::{Ballot, Replica};

use crate::directories::{copy, fixture};
use crate::run::ondisk;

fn accept(shard: &Path, generation: u64, leader: Option<&str>) {
    let levels = FeatureLevels::NONE;
    let mut bytes = Vec::new();
    Replica {
        reserved: 0,
        generation,
        commit: 1,
    }
    .encode(Replica::write_version(&levels), &mut bytes)
    .expect("a replica");
    fs::write(shard.join("replica"), &bytes).expect("a file");
    let Some(leader) = leader else { return };
    bytes.clear();
    Ballot {
        generation,
        leader: leader.to_owned(),
    }
    .encode(Ballot::write_version(&levels), &mut bytes)
    .expect("a ballot");
    fs::write(shard.join("ballot"), &bytes).expect("a file");
}

fn ballot(shard: &Path) -> Option<Ballot> {
    let bytes = fs::read(shard.join("ballot")).ok()?;
    Ballot::view(&bytes).ok().map(|view| view.to_value())
}

#[test]
fn the_generation_is_given_up() {
    for name in ["short-of-mark", "short-of-mark-missing", "torn-below-mark"] {
        for leader in [None, Some("broker-7")] {
            let copy = copy(&fixture(&format!("damaged/{name}")));
            accept(copy.path(), 7, leader);
            let found = ondisk(["repair", "--yes", "--json"]).on(copy.path()).run();
            assert_eq!(found.exit, 0, "{name}: {}{}", found.text(), found.err);
            let found = found.json();
            assert_eq!(
                found["repair"]["may_have_lost_acknowledged"], true,
                "{name}"
            );
            assert_eq!(found["repair"]["gives_up_generation"], 7, "{name}");
            let nobody = Ballot {
                generation: 7,
                leader: String::new(),
            };
            assert_eq!(ballot(copy.path()), Some(nobody), "{name}");
            let steps = found["repair"]["steps"].as_array().expect("steps");
            let first = steps[0].as_str().expect("a step");
            assert!(first.starts_with("give up generation 7"), "{name}: {first}");
        }
    }
}

/// Nothing was promised, or nothing is lost.
#[test]
fn a_generation_that_is_fine_is_kept() {
    for (name, generation, lost) in [
        ("short-of-mark", 0, true),
        ("unfinished-roll", 7, false),
        ("torn-payload", 7, false),
    ] {
        let copy = copy(&fixture(&format!("damaged/{name}")));
        accept(copy.path(), generation, Some("broker-7"));
        let before = ballot(copy.path());
        let found = ondisk(["repair", "--yes", "--json"]).on(copy.path()).run();
        assert_eq!(found.exit, 0, "{name}: {}", found.text());
        let found = found.json();
        assert_eq!(
            found["repair"]["may_have_lost_acknowledged"], lost,
            "{name}"
        );
        assert!(found["repair"]["gives_up_generation"].is_null(), "{name}");
        assert_eq!(ballot(copy.path()), before, "{name}");
    }
}

/// A generation that was given up stays so, and is not written again.
#[test]
fn once_is_enough() {
    let copy = copy(&fixture("damaged/short-of-mark"));
    accept(copy.path(), 7, Some(""));
    let found = ondisk(["repair", "--yes", "--json"])
        .on(copy.path())
        .run()
        .json();
    assert!(found["repair"]["gives_up_generation"].is_null());
    assert_eq!(found["after"]["sound"], true);
}

/// The mark is lowered to what is left and never raised.
#[test]
fn the_mark_no_longer_vouches_for_what_is_gone() {
    let copy = copy(&fixture("damaged/short-of-mark"));
    let newest = "00000000000000000000.log";
    let newest = fs::read_dir(copy.path())
        .expect("the copy")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter(|name| name.ends_with(".log"))
        .max()
        .unwrap_or_else(|| newest.to_owned());
    let length = fs::metadata(copy.path().join(&newest))
        .expect("a segment")
        .len();
    ondisk(["repair", "--yes"]).on(copy.path()).run();
    let found = ondisk(["verify", "--json"]).on(copy.path()).run().json();
    assert_eq!(found["plan"]["mark"]["synced_bytes"], length);
    let copy = self::copy(&fixture("damaged/unfinished-roll"));
    let before = fs::read(copy.path().join("durable.mark")).expect("a mark");
    ondisk(["repair", "--yes"]).on(copy.path()).run();
    assert_eq!(
        fs::read(copy.path().join("durable.mark")).expect("a mark"),
        before
    );
}
