//! Two processes on one log.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::run::ondisk;

fn start(args: &[&str], on: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ondisk"))
        .args(args)
        .arg(on)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts")
}

/// One appends, one follows: each line is seen before the next is written, so neither may hold anything back.
#[test]
fn a_follower_sees_each_line_as_it_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    assert_eq!(ondisk(["append"]).on(&shard).fed("first\n").run().exit, 0);
    // Small segments, so that the follower goes over several.
    let mut writer = start(&["append", "--segment-size", "128"], &shard);
    let mut input = writer.stdin.take().expect("its input");
    let mut reader = start(&["read", "--follow", "--count", "21"], &shard);
    let mut lines = BufReader::new(reader.stdout.take().expect("its output")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert_eq!(next(), "first");
    for number in 0..20 {
        writeln!(input, "line {number}").expect("a line");
        input.flush().expect("a line");
        assert_eq!(next(), format!("line {number}"));
    }
    let ended = reader.wait_with_output().expect("it ends");
    assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0));
    drop(input);
    let ended = writer.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert!(
        told.contains("appended 20 records at offsets 1..21"),
        "{told}"
    );
}

/// One that writes keeps another one from it, and is named.
#[test]
fn two_writers() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    let mut writer = start(&["append"], &shard);
    let mut input = writer.stdin.take().expect("its input");
    writeln!(input, "mine").expect("a line");
    input.flush().expect("a line");
    // It is at work once its line is there.
    let mut reader = start(&["read", "--follow", "--count", "1"], &shard);
    while reader.wait().expect("it ends").code() != Some(0) {
        reader = start(&["read", "--follow", "--count", "1"], &shard);
    }
    let said = ondisk(["append"]).on(&shard).fed("theirs\n").run();
    assert_eq!(said.exit, 3, "{}", said.err);
    assert!(said.err.contains("locked by"), "{}", said.err);
    drop(input);
    assert_eq!(writer.wait().expect("it ends").code(), Some(0));
    let said = ondisk(["append"]).on(&shard).fed("theirs\n").run();
    assert_eq!(said.exit, 0, "{}", said.err);
    assert_eq!(ondisk(["read"]).on(&shard).run().text(), "mine\ntheirs\n");
}

/// A reader that goes away ends a follower without a word.
#[test]
fn a_closed_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    let many: String = (0..100_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    assert_eq!(ondisk(["append"]).on(&shard).fed(many).run().exit, 0);
    for args in [&["read"][..], &["read", "--follow"]] {
        let mut reader = start(args, &shard);
        let mut lines = BufReader::new(reader.stdout.take().expect("its output")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "line 0");
        drop(lines);
        let ended = reader.wait_with_output().expect("it ends");
        assert_eq!(
            (ended.status.code(), ended.stderr.len()),
            (Some(0), 0),
            "{args:?}"
        );
    }
}

/// A terminal, where `script` can make one: nothing of a payload reaches it as a control.
#[test]
fn a_terminal_is_not_driven() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    assert_eq!(
        ondisk(["append"])
            .on(&shard)
            .fed("a\u{1b}[2Jb\n")
            .run()
            .exit,
        0
    );
    for (flags, driven, exit) in [
        ("", false, 0),
        ("--format json", false, 0),
        ("--raw", true, 0),
        ("--format frames", false, 2),
    ] {
        let command = format!(
            "{} read {flags} {}",
            env!("CARGO_BIN_EXE_ondisk"),
            shard.display()
        );
        let shown = Command::new("script")
            .args(["-q", "-e", "-c", &command, "/dev/null"])
            .stdin(Stdio::null())
            .output();
        let Ok(shown) = shown else { return };
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert_eq!(shown.status.code(), Some(exit), "{flags}: {text}");
        assert_eq!(text.contains('\u{1b}'), driven, "{flags}: {text:?}");
    }
}
