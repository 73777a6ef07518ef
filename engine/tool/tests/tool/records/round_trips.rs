//! What goes in comes out.

use std::path::Path;

use crate::run::ondisk;

const LOSSLESS: [&str; 3] = ["json", "base64", "frames"];

/// Bytes of all kinds: text, none, all values, line feeds, what a terminal obeys.
fn payloads() -> Vec<Vec<u8>> {
    let mut payloads: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"order 1".to_vec(),
        b"two\nlines\n".to_vec(),
        b"\r\n".to_vec(),
        "größe \u{202e} \u{1b}[2J \"quoted\" \\".into(),
        (0..=255).collect(),
        vec![0; 70_000],
        b"{\"payload\": 1}".to_vec(),
    ];
    // A small generator of numbers, so that each run has the same.
    let mut state = 7_u64;
    for len in 0..200 {
        let mut bytes = Vec::new();
        for _ in 0..len {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            bytes.push((state >> 56) as u8);
        }
        payloads.push(bytes);
    }
    payloads
}

fn stamp(index: usize) -> u64 {
    match index {
        0 => 0,
        1 => u64::MAX,
        index => 1_700_000_000_000_000 + index as u64,
    }
}

fn frames(payloads: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = Vec::new();
    for (index, payload) in payloads.iter().enumerate() {
        let len = u32::try_from(payload.len()).expect("a short payload");
        stream.extend(len.to_be_bytes());
        stream.extend(stamp(index).to_be_bytes());
        stream.extend(payload);
    }
    stream
}

fn append(shard: &Path, format: &str, input: &[u8]) -> String {
    let said = ondisk(["append", "--format", format])
        .on(shard)
        .fed(input)
        .run();
    assert_eq!(said.exit, 0, "{format}: {}", said.err);
    assert!(said.out.is_empty());
    said.err
}

fn read(shard: &Path, format: &str) -> Vec<u8> {
    let said = ondisk(["read", "--format", format]).on(shard).run();
    assert_eq!((said.exit, said.err.as_str()), (0, ""), "{format}");
    said.out
}

/// Through every format and back, none changes a payload or a timestamp.
#[test]
fn each_lossless_format_carries_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let original = frames(&payloads());
    let shard = folder.path().join("original");
    append(&shard, "frames", &original);
    assert_eq!(read(&shard, "frames"), original);
    for format in LOSSLESS {
        let spelled = read(&shard, format);
        if format != "frames" {
            assert!(std::str::from_utf8(&spelled).is_ok());
            assert_eq!(
                spelled.iter().filter(|&&byte| byte == b'\n').count(),
                payloads().len()
            );
        }
        let copy = folder.path().join(format);
        append(&copy, format, &spelled);
        assert_eq!(read(&copy, "frames"), original, "{format}");
        assert_eq!(read(&copy, format), spelled, "{format}");
        assert_eq!(ondisk(["verify"]).on(&copy).run().exit, 0, "{format}");
    }
}

#[test]
fn lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    let told = append(&shard, "lines", b"one\n\ntwo\nlast");
    assert!(
        told.contains("appended 4 records at offsets 0..4"),
        "{told}"
    );
    assert!(told.contains("flushed"), "{told}");
    assert_eq!(read(&shard, "lines"), b"one\n\ntwo\nlast\n");
    let told = append(&shard, "lines", b"more\n");
    assert!(told.contains("appended 1 record at offsets 4..5"), "{told}");
    assert_eq!(read(&shard, "lines"), b"one\n\ntwo\nlast\nmore\n");
    let told = append(&shard, "lines", b"");
    assert!(
        told.contains("appended 0 records at offsets 5..5"),
        "{told}"
    );
}

#[test]
fn from_and_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<String> = (0..1000).map(|number| format!("line {number}\n")).collect();
    // Several segments, so that an offset has to be looked for.
    let said = ondisk(["append", "--segment-size", "4096", "--fsync", "none"])
        .on(folder.path().join("shard"))
        .fed(lines.concat())
        .run();
    assert_eq!(said.exit, 0, "{}", said.err);
    let shard = folder.path().join("shard");
    for (from, count) in [
        (0, 1000),
        (0, 1),
        (1, 2),
        (500, 7),
        (999, 5),
        (1000, 1),
        (5000, 1),
        (3, 0),
    ] {
        let said = ondisk([
            "read",
            "--from",
            &from.to_string(),
            "--count",
            &count.to_string(),
        ])
        .on(&shard)
        .run();
        let expected: String = lines
            .iter()
            .skip(from)
            .take(count)
            .map(String::as_str)
            .collect();
        assert_eq!((said.exit, said.text()), (0, expected), "{from}, {count}");
    }
}

#[test]
fn every_way_of_flushing() {
    let folder = tempfile::tempdir().expect("a folder");
    for way in ["on-commit", "periodic", "none"] {
        let shard = folder.path().join(way);
        let said = ondisk(["append", "--fsync", way])
            .on(&shard)
            .fed("one\ntwo\n")
            .run();
        assert_eq!(said.exit, 0, "{}", said.err);
        let found = ondisk(["verify", "--json"]).on(&shard).run().json();
        let length = found["segments"][0]["file_bytes"].clone();
        assert_eq!(found["plan"]["mark"]["synced_bytes"], length, "{way}");
    }
}

/// A record that is none ends it; what came before stays.
#[test]
fn input_that_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, input, what) in [
        (
            "json",
            &b"{\"payload\": \"one\"}\nnonsense\n{\"payload\": \"two\"}\n"[..],
            "line 2 is no JSON",
        ),
        ("base64", b"b25l\n???\n", "line 2 is no base64"),
        (
            "frames",
            b"\0\0\0\x03\0\0\0\0\0\0\0\0one\0\0",
            "frame 2 is cut off",
        ),
        (
            "frames",
            b"\0\0\0\x03\0\0\0\0\0\0\0\0one\xff\xff\xff\xff\0\0\0\0\0\0\0\0",
            "frame 2 has a payload of",
        ),
    ] {
        let shard = folder.path().join(what.replace(' ', "-"));
        let said = ondisk(["append", "--format", format])
            .on(&shard)
            .fed(input)
            .run();
        assert_eq!(said.exit, 3, "{}", said.err);
        assert!(
            said.err.contains(what) && said.err.contains("next: "),
            "{}",
            said.err
        );
        assert!(
            said.err.contains("appended 1 record at offsets 0..1"),
            "{}",
            said.err
        );
        assert_eq!(read(&shard, "lines"), b"one\n");
        assert_eq!(ondisk(["verify"]).on(&shard).run().exit, 0);
    }
}

/// A payload as long as one may be, and one byte more.
#[test]
fn the_longest_payload() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard");
    let longest = vec![b'x'; 64 << 20];
    append(&shard, "lines", &longest);
    let found = ondisk(["read"]).on(&shard).run();
    assert!(found.out.len() == longest.len() + 1 && found.out.starts_with(&longest));
    let longer = vec![b'x'; (64 << 20) + 1];
    let said = ondisk(["append"]).on(&shard).fed(longer).run();
    assert!(
        said.exit == 3 && said.err.contains("more than 64 MiB"),
        "{}",
        said.err
    );
}
