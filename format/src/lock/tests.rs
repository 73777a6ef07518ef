//! What a block says, and what may change.

use super::*;
use crate::walk::samples::{ENTRY, FRAME, NOTE, OBJECT, OP};

#[test]
fn a_block_says_where_everything_is() {
    assert_eq!(
        block(&FRAME, 0),
        "\
Frame
0        | 2      | word     | u16
0        |        | op       | bits 13..=15: Op
0        |        | len      | bits 0..=12: u16 | length of payload
2        | 4      | head_crc | u32              | CRC-32 over ..head_crc
6        | 4      | crc      | u32              | CRC-32 over ..crc, tag..
10       | 0 or 2 | tag      | Tag              | when op == Op::Tagged
10 + tag | len    | payload  | bytes
"
    );
}

#[test]
fn an_enum_has_all_its_values() {
    let right = "Op\n0 bytes\n0 | Plain\n1 | Tagged | since 2\n";
    assert_eq!(block(&OP, 0), right);
}

#[test]
fn only_additions_are_allowed() {
    let released = lock(&[&OBJECT, &FRAME]);
    assert_eq!(compare(&released, &released), Comparison::default());
    let now = lock(&[&OBJECT, &FRAME, &NOTE]);
    let added = compare(&released, &now);
    assert_eq!(added.broken, [""; 0]);
    assert_eq!(added.added, ["Note"]);
    assert_eq!(compare(&now, &released).broken, ["Note is gone"]);
}

#[test]
fn changes_are_said_in_words() {
    let released = lock(&[&OBJECT, &ENTRY]);
    let now =
        released
            .replacen("| the rest", "| 16", 1)
            .replacen("over ..crc", "over runs..crc", 1);
    assert_eq!(
        compare(&released, &now).broken,
        [
            "Object version 1: size of `runs` was `the rest`, is `16`",
            "Object version 1: meaning of `crc` was `CRC-32 over ..crc`, is `CRC-32 over runs..crc`",
        ]
    );
    let released = "# a comment\nOp\n0 bytes\n0 | Plain\n1 | Tagged\n";
    let now = "Op\n0 bytes\n0 | Plain\n2 | Tagged\n3 | Other\n4 | Late | since 5";
    let comparison = compare(released, now);
    assert_eq!(
        comparison.broken,
        [
            "Op: value of `Tagged` was `1`, is `2`",
            "Op: `Other` is new"
        ]
    );
    assert_eq!(comparison.added, ["Op: `Late` is new"]);
}
