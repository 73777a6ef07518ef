//! Under names of files: FIFOs, devices, directories, links, loops of links. Nothing of it is opened.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{look, look_at_file, names_in_a_root, names_in_a_shard, segment_header};
use crate::run::ondisk;

/// Puts something else than a file under a name; false where this machine does not let anybody.
type Put = fn(&Path) -> bool;

fn fifo(path: &Path) -> bool {
    made(Command::new("mkfifo").arg(path))
}

fn device(path: &Path) -> bool {
    // Reading it never ends.
    made(Command::new("mknod").arg(path).args(["c", "1", "5"]))
}

fn made(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

fn directory(path: &Path) -> bool {
    fs::create_dir(path).is_ok()
}

fn link(path: &Path) -> bool {
    symlink("/etc/passwd", path).is_ok()
}

fn link_to_itself(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| symlink(name, path).is_ok())
}

fn link_to_nothing(path: &Path) -> bool {
    symlink("nothing", path).is_ok()
}

#[expect(
    clippy::print_stderr,
    reason = "whoever reads the tests' output is told what was not tested"
)]
fn skip(what: &str) {
    eprintln!("skipped: this machine makes no {what} here");
}

const PUTS: [(&str, Put); 6] = [
    ("a FIFO", fifo),
    ("a device", device),
    ("a directory", directory),
    ("a link", link),
    ("a link to itself", link_to_itself),
    ("a link to nothing", link_to_nothing),
];

/// Whether an open is refused when no regular file has this name; what is derived counts as absent then (Felix 1.5).
fn is_needed(name: &str) -> bool {
    name.ends_with(".log") || ["replica", "ballot", "offload.manifest"].contains(&name)
}

#[test]
fn under_every_name_in_a_shard() {
    for (what, put) in PUTS {
        for name in names_in_a_shard() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join(&name);
            if !put(&path) {
                skip(what);
                break;
            }
            if !name.ends_with(".log") {
                fs::write(
                    folder.path().join("00000000000000000007.log"),
                    segment_header(0),
                )
                .expect("a segment");
            }
            let needed = is_needed(&name);
            let said = look(folder.path());
            assert_eq!(
                said.exit,
                i32::from(needed),
                "{what} named {name}:\n{}{}",
                said.text(),
                said.err
            );
            let found = ondisk(["verify", "--json"]).on(folder.path()).run().json();
            let foreign = found["foreign"].as_array().expect("a list");
            assert!(
                foreign.contains(&name.as_str().into()),
                "{what} named {name}: {foreign:?}"
            );
            assert_eq!(found["sound"], !needed);
            if what != "a directory" {
                look_at_file(&path, &[1, 3]);
            }
        }
    }
}

#[test]
fn under_every_name_in_a_root() {
    for (what, put) in PUTS {
        for name in names_in_a_root().iter().map(String::as_str).chain([
            ".streams",
            ".deleted",
            "groups",
            "caches",
            "counters",
            "dead-letters",
        ]) {
            let is_store =
                !name.contains('-') && !name.contains("registration") && !name.contains("tmp")
                    || name == "dead-letters";
            if is_store && what == "a directory" {
                continue;
            }
            let folder = tempfile::tempdir().expect("a folder");
            if !put(&folder.path().join(name)) {
                skip(what);
                break;
            }
            let said = look(folder.path());
            assert_eq!(
                said.exit,
                1,
                "{what} named {name}:\n{}{}",
                said.text(),
                said.err
            );
        }
    }
}

/// Links on the way to a directory are the caller's own; what is in it is not.
#[test]
fn a_link_to_a_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("shard")).expect("a folder");
    fs::write(
        folder.path().join("shard/00000000000000000000.log"),
        segment_header(0),
    )
    .expect("a segment");
    symlink("shard", folder.path().join("link")).expect("a link");
    assert_eq!(look(&folder.path().join("link")).exit, 0);
    // A shard of a data directory is no link, wherever it leads.
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("node-id"), "node-1\n").expect("a file");
    symlink(
        folder.path().join("shard"),
        root.path().join("acme_default_orders_0-0d3aed4b998d2798"),
    )
    .expect("a link");
    let said = look(root.path());
    assert_eq!(said.exit, 1, "{}", said.text());
    assert!(said.text().contains("0 of 0 shards"), "{}", said.text());
}

/// What is no file, no directory and of no known name is not opened either.
#[test]
fn of_no_known_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for (what, put) in [PUTS[0], PUTS[4], PUTS[5]] {
        let path = folder.path().join(what.replace(' ', "-"));
        assert!(put(&path), "{what}");
        let said = ondisk(["inspect"]).on(&path).run();
        assert_eq!(said.exit, 3, "{what}: {}", said.text());
        assert!(said.err.contains("not opened"), "{}", said.err);
    }
}
