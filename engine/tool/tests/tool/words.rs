//! What a person reads, word by word.

use crate::directories::fixture;
use crate::run::ondisk;

/// What `verify` says of a fixture, from a place where its path is always the same.
fn verified(name: &str, args: &[&str]) -> String {
    let folder = fixture(name)
        .parent()
        .expect("a fixture has a folder")
        .to_owned();
    let text = ondisk(["verify"])
        .with(args.iter().copied())
        .on(fixture(name).file_name().expect("a name"))
        .from(&folder)
        .run()
        .text();
    text.split_inclusive('\n').map(unnamed).collect()
}

/// A line without the id of a plan, which says the same as the lines before it.
fn unnamed(line: &str) -> String {
    match line
        .split_once("plan         ")
        .and_then(|(_, id)| id.split_once(' '))
    {
        Some((_, behind)) => format!("plan         (id) {behind}"),
        None => line.to_owned(),
    }
}

fn inspected(name: &str, file: &str, args: &[&str]) -> String {
    ondisk(["inspect"])
        .with(args.iter().copied())
        .on(file)
        .from(&fixture(name))
        .run()
        .text()
}

#[test]
fn verify() {
    for name in [
        "unfinished-roll",
        "torn-below-mark",
        "damage-past-mark",
        "payload-bit-middle",
        "payload-bit-tail",
        "zero-tail-mark",
        "zero-tail-no-mark",
        "missing-middle",
        "short-of-mark",
        "replica-bad-crc",
        "segment-directory",
        "interrupted-reset",
        "offloaded-gap",
        "abandoned-headless-long",
        "index-wrong-record",
        "epochs-bad-crc",
    ] {
        insta::assert_snapshot!(
            format!("verify-{name}"),
            verified(&format!("damaged/{name}"), &[])
        );
    }
    insta::assert_snapshot!("verify-sound", verified("clean/sidecars", &[]));
    insta::assert_snapshot!("verify-root", verified("clean/data-root", &[]));
    insta::assert_snapshot!(
        "verify-strict",
        verified("damaged/unfinished-roll", &["--as-open", "--strict"])
    );
    insta::assert_snapshot!(
        "verify-opt-in",
        verified(
            "damaged/payload-bit-tail",
            &["--as-open", "--repair-checksum-tail"]
        )
    );
}

#[test]
fn inspect() {
    for (name, fixture, file) in [
        ("segment", "clean/sidecars", "00000000000000000001.log"),
        (
            "segment-rotten",
            "damaged/payload-bit-middle",
            "00000000000000000000.log",
        ),
        (
            "segment-without-header",
            "damaged/zeroed-header",
            "00000000000000000000.log",
        ),
        ("index", "clean/sidecars", "00000000000000000000.index"),
        ("producers", "clean/producers-open", "producers"),
        ("manifest", "clean/sidecars", "offload.manifest"),
        ("ballot-damaged", "damaged/ballot-truncated", "ballot"),
        ("keys", "clean/cache-keys", "keys.idx"),
        (
            "marker",
            "clean/data-root",
            ".streams/acme_default_gone-096b07e39e4cf7d0",
        ),
        ("node-id-of-another", "damaged/root-strays", "node-id"),
        ("shard", "clean/sidecars", "."),
        ("shard-damaged", "damaged/unfinished-roll", "."),
        ("root", "clean/data-root", "."),
    ] {
        insta::assert_snapshot!(format!("inspect-{name}"), inspected(fixture, file, &[]));
    }
    insta::assert_snapshot!(
        "inspect-cache",
        inspected("clean/cache-keys", "00000000000000000000.log", &[])
    );
    insta::assert_snapshot!(
        "inspect-hex",
        inspected("clean/sidecars", "ballot", &["--hex"])
    );
}
