//! Command lines, exit codes, and what is said where nothing can be done.

use std::fs;

use ondisk::felix::KINDS;

use crate::directories::{copy, fixture};
use crate::run::ondisk;

#[test]
fn exit_codes() {
    let sound = fixture("clean/sidecars");
    let damaged = fixture("damaged/payload-bit-middle");
    for (args, path, exit) in [
        (&["verify"][..], &sound, 0),
        (&["verify"], &damaged, 1),
        (&["inspect"], &sound, 0),
        (&["inspect"], &damaged, 1),
        (
            &["verify", "--strict", "--zero-tail-without-mark"],
            &sound,
            2,
        ),
        (&["verify", "--index-spacing", "0"], &sound, 2),
        (&["verify", "--open-at", "18446744073709551615"], &sound, 2),
        (&["verify", "--jobs", "0"], &sound, 2),
        (&["verify", "--kind", "queue"], &sound, 2),
        (&["inspect", "--hex", "--json"], &sound, 2),
        (&["inspect", "--as", "Nothing"], &sound, 2),
        (&["repair-everything"], &sound, 2),
    ] {
        let said = ondisk(args.iter().copied()).on(path).run();
        assert_eq!(said.exit, exit, "{args:?}: {}", said.err);
    }
    assert_eq!(ondisk([]).run().exit, 2);
    assert_eq!(ondisk(["--help"]).run().exit, 0);
    assert_eq!(ondisk(["--version"]).run().exit, 0);
    assert_eq!(ondisk(["verify", "/nowhere/at/all"]).run().exit, 3);
    assert_eq!(ondisk(["inspect", "/nowhere/at/all"]).run().exit, 3);
    let file = sound.join("ballot");
    assert_eq!(
        ondisk(["verify"]).on(&file).run().exit,
        2,
        "a file is for inspect"
    );
}

/// An empty directory is more often a mount that is missing than a log that was never written.
#[test]
fn a_directory_with_nothing_of_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    for names in [&[][..], &["notes.txt", "photo.jpg"]] {
        for name in names {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        for command in ["verify", "inspect"] {
            let said = ondisk([command]).on(folder.path()).run();
            assert_eq!((said.exit, said.text().as_str()), (3, ""), "{command}");
            assert!(
                said.err.contains("neither a shard nor a data directory")
                    && said.err.contains("next: "),
                "{}",
                said.err
            );
        }
    }
    let said = ondisk(["verify", "--as", "shard"]).on(folder.path()).run();
    assert!(
        said.exit == 0 && said.text().contains("starts empty at offset 0"),
        "{}",
        said.text()
    );
    let said = ondisk(["verify", "--as", "shard", "--open-at", "77"])
        .on(folder.path())
        .run();
    assert!(
        said.text().contains("starts empty at offset 77"),
        "{}",
        said.text()
    );
    let said = ondisk(["verify", "--as", "root"]).on(folder.path()).run();
    assert!(
        said.exit == 0 && said.text().contains("0 of 0 shards sound"),
        "{}",
        said.text()
    );
}

/// What the records are is told by the folder, then by a key index, unless the caller knows better.
#[test]
fn the_kind_of_a_shard() {
    let kind = |args: &[&str], path: &std::path::Path| {
        let found = ondisk(["verify", "--json"])
            .with(args.iter().copied())
            .on(path)
            .run()
            .json();
        found["kind"].as_str().expect("a kind").to_owned()
    };
    let root = fixture("clean/data-root");
    let counter = root.join("counters/acme_default_profiles_0-4427995b777ddf41");
    let cache = root.join("caches/acme_default_flags_3-80b1f81ec6d777a6-0006411a0cd00b11");
    assert_eq!(kind(&[], &counter), "counter");
    assert_eq!(kind(&[], &cache), "cache");
    assert_eq!(kind(&["--kind", "stream"], &cache), "stream");
    assert_eq!(
        kind(
            &[],
            &root.join("groups/acme_default_orders_0-0d3aed4b998d2798")
        ),
        "stream"
    );
    assert_eq!(
        kind(&[], &fixture("clean/cache-keys")),
        "cache",
        "a key index lies in it"
    );
    assert_eq!(
        kind(&[], &fixture("clean/cache-replay")),
        "stream",
        "nothing says otherwise"
    );
}

/// A file is known by its name, by its first bytes, or by what the caller says.
#[test]
fn the_kind_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let ballot = fs::read(fixture("clean/sidecars").join("ballot")).expect("a ballot");
    let kind = |name: &str, bytes: &[u8], args: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        ondisk(["inspect", "--json"])
            .with(args.iter().copied())
            .on(&path)
            .run()
    };
    assert_eq!(kind("copy", &ballot, &[]).json()["kind"], "Ballot");
    let said = kind("replica", &ballot, &[]);
    assert_eq!(
        (said.exit, said.json()["kind"].as_str()),
        (1, Some("Replica")),
        "its name decides"
    );
    let said = kind("replica", &ballot, &["--as", "ballot"]);
    assert_eq!(
        (said.exit, said.json()["kind"].as_str()),
        (0, Some("Ballot"))
    );
    let said = kind("notes.txt", b"hello", &[]);
    assert!(
        said.exit == 3 && said.err.contains("it begins with \"hello\""),
        "{}",
        said.err
    );
    let wire = kind("notes.txt", b"FLX1....", &[]);
    assert_eq!(wire.exit, 3, "the wire protocol is no file");
}

/// Records that are being written: only the moment first seen counts.
#[test]
fn a_shard_without_its_directory() {
    let said = ondisk(["verify"])
        .on("/nowhere/acme_default_orders_0-0d3aed4b998d2798")
        .run();
    assert!(
        said.exit == 3 && said.err.contains("next: "),
        "{}",
        said.err
    );
}

#[test]
fn a_page_of_every_kind() {
    let list = ondisk(["spec"]).run().text();
    for entry in KINDS {
        let name = entry.kind.name;
        assert!(list.contains(name), "{name} is listed");
        for args in [&["spec", name][..], &["spec", "--markdown", name]] {
            let said = ondisk(args.iter().copied()).run();
            assert_eq!(said.exit, 0, "{}", said.err);
            assert!(said.text().to_lowercase().contains(&name.to_lowercase()));
        }
        if let Some(file) = entry.kind.file.filter(|file| !file.contains('{')) {
            assert_eq!(
                ondisk(["spec", file]).run().text(),
                ondisk(["spec", name]).run().text(),
                "{file}"
            );
        }
    }
    assert_eq!(
        ondisk(["spec", "00000000000000000007.log"]).run().text(),
        ondisk(["spec", "segment-header"]).run().text()
    );
    let said = ondisk(["spec", "segment"]).run();
    assert!(
        said.exit == 2 && said.err.contains("SegmentHeader"),
        "{}",
        said.err
    );
}

/// A plan has one name, wherever its directory is reached from.
#[test]
fn the_id_of_a_plan() {
    let copy = copy(&fixture("damaged/torn-payload"));
    let id = |path: &std::path::Path| {
        ondisk(["verify", "--json"])
            .from(copy.path())
            .on(path)
            .run()
            .json()["plan"]["id"]
            .clone()
    };
    let here = id(std::path::Path::new("."));
    assert_eq!(id(copy.path()), here);
    assert!(here.as_str().is_some_and(|id| id.len() == 16));
}
