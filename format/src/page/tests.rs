use alloc::string::ToString;

use super::*;
use crate::walk::samples::{FRAME, OBJECT};

#[test]
fn a_page_has_the_table_and_what_follows_from_it() {
    let vectors = [Vector {
        name: "V-1".into(),
        note: "cut".into(),
        bytes: "00 01".into(),
        outcome: "refused".into(),
    }];
    let page = Page::new(&FRAME)
        .with_diagram("frame.svg")
        .with_vectors(&vectors);
    assert_eq!(
        page.to_string(),
        "\
# Frame

| | |
|---|---|
| class | derived: it can be rebuilt, or done without |
| bytes | 10 or more |

## Layout

![Bytes of Frame](frame.svg)

| offset | size | field | type | notes |
|---|---|---|---|---|
| 0 | 2 | `word` | u16 |  |
| 0 |  | `op` | bits 13..=15: [Op](op.md) |  |
| 0 |  | `len` | bits 0..=12: u16 | bytes of `payload`; at most 1000 |
| 2 | 4 | `head_crc` | u32 | CRC-32 over `word` to `len` |
| 6 | 4 | `crc` | u32 | CRC-32 over `word` to `head_crc`, then `tag` to the end |
| 10 | 0 or 2 | `tag` | [Tag](tag.md) | only when `op == Op::Tagged` |
| 10 + tag | len | `payload` | bytes |  |

## What no checksum covers

Every byte is covered.

## Vectors

| vector | bytes | what a reader makes of them |
|---|---|---|
| V-1 | `00 01` | cut: refused |
"
    );
    let page = Page::new(&OBJECT).to_string();
    assert!(
        page.contains("| versions | 1 and 2 read, 1 written |"),
        "{page}"
    );
    assert_eq!(file_stem(&FRAME), "frame");
}

#[test]
fn a_diagram_has_a_box_for_every_field() {
    let diagram = Diagram::new(&OBJECT, 1).to_string();
    for row in OBJECT.rows() {
        assert!(
            diagram.contains(&format!("<title>{},", row.name)),
            "{}",
            row.name
        );
    }
    assert_eq!(diagram.matches("<svg").count(), 1);
    assert!(diagram.ends_with("</svg>\n"));
}
