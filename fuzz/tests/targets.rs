//! Every registered kind has its target, its entry in `Cargo.toml` and seeds, and the seeds hold.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ondisk::felix::KINDS;
use ondisk::page::file_stem;

const MARK: &str =
    "# From here on: one target a kind, written by `UPDATE=1 cargo test -p ondisk-fuzz`.\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Name of the kind and of its target.
fn targets() -> impl Iterator<Item = (&'static str, String)> {
    KINDS
        .iter()
        .map(|entry| (entry.kind.name, file_stem(entry.kind).replace('-', "_")))
}

fn hold(path: &Path, right: &str) {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, right).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        found,
        right,
        "{} is stale; UPDATE=1 writes it",
        path.display()
    );
}

#[test]
fn every_kind_has_a_target() {
    for (kind, target) in targets() {
        let text = format!(
            "//! Any bytes as a `{kind}`.\n#![no_main]\n\nondisk_fuzz::target!(\"{kind}\");\n"
        );
        hold(&root().join(format!("fuzz_targets/{target}.rs")), &text);
    }
}

#[test]
fn every_target_is_an_executable() {
    let path = root().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).unwrap();
    let (before, _) = manifest.split_once(MARK).unwrap();
    let mut right = format!("{before}{MARK}");
    for (_, target) in targets() {
        let _ = write!(
            right,
            "\n[[bin]]\nname = \"{target}\"\npath = \"fuzz_targets/{target}.rs\"\ntest = false\nbench = false\ndoc = false\n"
        );
    }
    hold(&path, &right);
}

#[test]
fn every_seed_holds() {
    for (kind, target) in targets() {
        let seeds = root().join("seeds").join(&target);
        let mut count = 0;
        for seed in fs::read_dir(&seeds).into_iter().flatten().flatten() {
            ondisk_fuzz::check(kind, &fs::read(seed.path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "{} has no seeds", seeds.display());
    }
}

#[test]
fn values_of_every_kind_round_trip() {
    for kind in 0..u8::MAX {
        let entropy: Vec<u8> = (0..=u8::MAX)
            .map(|byte| byte.wrapping_mul(kind | 1))
            .collect();
        ondisk_fuzz::round_trip(&[&[kind, kind], &entropy[..]].concat());
    }
}

#[test]
fn recovery_of_built_directories_is_planned() {
    for seed in 0..=u8::MAX {
        let input: Vec<u8> = (0..600_u32)
            .map(|index| {
                (index.wrapping_mul(u32::from(seed) * 2 + 7) >> (seed % 7)).to_le_bytes()[0]
            })
            .collect();
        ondisk_fuzz::recovery::check(&input);
    }
}

#[test]
fn crashes_of_drawn_scripts_break_no_promise() {
    for seed in 0..8_u32 {
        let input: Vec<u8> = (0..60_u32)
            .map(|index| (index.wrapping_mul(seed * 2 + 2_654_435_761) >> 13).to_le_bytes()[0])
            .collect();
        ondisk_fuzz::crashes::check(&input);
    }
}
