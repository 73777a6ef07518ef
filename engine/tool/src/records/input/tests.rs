//! What is taken from streams that come in pieces.

use super::{Format, Input, Splitter};

type Taken = (Option<u64>, Vec<u8>);

/// What is taken from a stream that comes in pieces of `step` bytes.
fn taken(format: Format, stream: &[u8], step: usize) -> Result<Vec<Taken>, String> {
    let mut splitter = Splitter::new(format);
    let (mut from, mut to) = (0, 0);
    let mut all = Vec::new();
    loop {
        let end = to == stream.len();
        while let Some((
            Input {
                timestamp_micros,
                payload,
            },
            took,
        )) = splitter.next(&stream[from..to], end)?
        {
            all.push((timestamp_micros, payload.into_owned()));
            from += took;
        }
        if end {
            return Ok(all);
        }
        to = (to + step).min(stream.len());
    }
}

fn takes(format: Format, stream: &[u8], expected: &[(Option<u64>, &[u8])]) {
    let expected: Vec<Taken> = expected
        .iter()
        .map(|(stamp, payload)| (*stamp, payload.to_vec()))
        .collect();
    for step in 1..=stream.len().max(1) {
        let found = taken(format, stream, step);
        assert_eq!(found.as_ref(), Ok(&expected), "{format:?} by {step}");
    }
}

#[test]
fn lines() {
    takes(Format::Lines, b"", &[]);
    takes(
        Format::Lines,
        b"one\n\ntwo\r\n",
        &[(None, b"one"), (None, b""), (None, b"two\r")],
    );
    takes(
        Format::Lines,
        b"one\n\xff",
        &[(None, b"one"), (None, b"\xff")],
    );
}

#[test]
fn json() {
    takes(
        Format::Json,
        b"{\"payload\": \"a\\nb\"}\n{\"offset\": 7, \"timestamp_micros\": 18446744073709551615, \"payload_base64\": \"/w==\"}\n",
        &[(None, b"a\nb"), (Some(u64::MAX), b"\xff")],
    );
    for line in [
        "",
        "[]",
        "{}",
        "{\"payload\": 1}",
        "{\"payload\": \"\", \"payload_base64\": \"\"}",
        "{\"payload\": \"\", \"timestamp_micros\": -1}",
        "{\"payload_base64\": \"/w=\"}",
        "{\"payload\": \"\", \"more\": 1}",
        "{\"payload\": \"\", \"mark\": \"opens\"}",
    ] {
        let found = taken(Format::Json, format!("{line}\n").as_bytes(), 1000);
        assert!(
            found.is_err_and(|what| what.starts_with("line 1 ")),
            "{line}"
        );
    }
}

#[test]
fn base64() {
    takes(
        Format::Base64,
        b"Zm9v\n\n12 \n0 Zg==\n18446744073709551615 Zg==",
        &[
            (None, b"foo"),
            (None, b""),
            (Some(12), b""),
            (Some(0), b"f"),
            (Some(u64::MAX), b"f"),
        ],
    );
    for line in [
        "Zg",
        "x Zg==",
        "-1 Zg==",
        " Zg==",
        "+1 Zg==",
        "18446744073709551616 Zg==",
    ] {
        assert!(
            taken(Format::Base64, line.as_bytes(), 1000).is_err(),
            "{line}"
        );
    }
}

#[test]
fn frames() {
    takes(
        Format::Frames,
        b"\0\0\0\x02\0\0\0\0\0\0\0\x07hi\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
        &[(Some(7), b"hi"), (Some(u64::MAX), b"")],
    );
    for stream in [
        &b"\0"[..],
        b"\0\0\0\x02\0\0\0\0\0\0\0\x07h",
        b"\xff\0\0\x02\0\0\0\0\0\0\0\x07hi",
    ] {
        let found = taken(Format::Frames, stream, 1000);
        assert!(found.is_err_and(|what| what.starts_with("frame 1 ")));
    }
}
