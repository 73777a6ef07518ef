use alloc::string::ToString;

use super::Dump;
use crate::error::{Error, Fault};
use crate::walk::samples::{FRAME, OBJECT, frame, object};

#[test]
fn bits_nested_rows_and_long_fields() {
    let bytes = frame(
        1,
        &[0, 7],
        b"hi \x1b[m and a longer payload, so that it must be cut",
    );
    assert_eq!(
        Dump::new(&FRAME, &bytes, 2).based_at(32).to_string(),
        r#"Frame, 63 bytes
  32  20 33                    word      0x2033
      bits 13..=15             op        Tagged = 1
      bits 0..=12              len       51
  34  6b 8d 57 4b              head_crc  6b8d574b, right
  38  9c 54 e2 d3              crc       9c54e2d3, right
  42  00 07                    tag.id    7
  44  68 69 20 1b 5b 6d 20 ..  payload   "hi \u{1b}[m and a longer payload, so that it must be … 3 more"
"#
    );
}

#[test]
fn what_is_wrong_stands_where_it_is() {
    let mut bytes = frame(1, &[0, 7], b"hi");
    bytes[2] ^= 1;
    bytes.truncate(13);
    let short = Fault::Short {
        needed: 30,
        available: 29,
    };
    let error = Error::new(&FRAME, 6, 12, short);
    assert_eq!(
        Dump::new(&FRAME, &bytes, 1).with_error(error).to_string(),
        r#"Frame, 13 bytes
   0  20 02                    word        0x2002
      bits 13..=15             op          Tagged = 1
                               ^ value 1 is not of version 1: it needs version 2
      bits 0..=12              len         2
   2  3b 53 57 71              head_crc    3b535771, WRONG: 3a535771 is right
   6  cd 2d 20 59              crc         cd2d2059, covers bytes that were not found
  10  00 07                    tag.id      7
  12  68                       (not read)  1 byte
                               ^ Frame.payload at byte 12: needs 30 bytes, 29 are there
"#
    );
}

#[test]
fn a_foot_is_shown_behind_bytes_that_make_no_sense() {
    assert_eq!(
        Dump::new(&OBJECT, &object(1), 0).to_string(),
        r#"Object version 1, 19 bytes
   0  4f 42                    magic             "OB"
   2  01                       version           1
   3  72 75 6e 73              runs              "runs"
   7  03                       entries[0].len    3
   8  00                       entries[0].kind   0
   9  01                       entries[0].inner  1
  10  6b                       entries[0].key    "k"
  11  00                       entries[1].len    0
  12  00 00                    (not read)        2 bytes
  14  07                       entries_len       7
  15  40 b0 7c 6e              crc               40b07c6e, right
                               ^ Entry.kind at byte 12: needs 2 bytes, the enclosing length leaves 1
"#
    );
}

#[test]
fn only_some_entries_and_optional_rows() {
    let bytes = object(2);
    let all = Dump::new(&OBJECT, &bytes, 0);
    assert!(all.to_string().contains(
        "
  11  00                       entries[0].digest  absent
  12  00 00                    entries[0].digest  zeros in its place
  14  07                       entries_len        7
"
    ));
    assert!(all.most_entries(0).to_string().contains(
        "
   7                           entries[0..]  the other entries
  14  07                       entries_len   7
"
    ));
}

#[test]
fn nothing_is_shown_too() {
    assert_eq!(
        Dump::new(&OBJECT, &[], 0).to_string(),
        "Object, 0 bytes
                               ^ Object.magic at byte 0: needs 2 bytes, 0 are there
"
    );
}
