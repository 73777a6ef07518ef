//! Where no key says it: a kind whose codec is written by hand, in the rows of kinds that are not.
#![allow(missing_docs, reason = "the kinds are cases of a test")]

mod hold;

use hold::{Case, hex, overrun, short};
use ondisk::describe::{Endian, Shape, Trailing};
use ondisk::encode::Encode;
use ondisk::format::{Cx, Format, walk_by_hand};
use ondisk::{EncodeError, Error, Fail, Fault, Kind, format};

/// Text that a zero byte ends.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroEnded {
    /// Without the zero.
    pub text: Vec<u8>,
}

/// A validated look at it.
#[derive(Clone, Copy, Debug)]
pub struct ZeroEndedView<'a> {
    text: &'a [u8],
}

impl<'a> ZeroEndedView<'a> {
    /// Without the zero.
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }
}

const RULE: &str = "text is of printable ASCII characters and ends with a zero byte";

fn is_text(text: &[u8]) -> bool {
    text.iter().all(|byte| (0x20..0x7f).contains(byte))
}

impl Format for ZeroEnded {
    type View<'b> = ZeroEndedView<'b>;
    type Value<'b> = Self;
    type Layout = [u8; 0];
    type Versioned = Self;
    const KIND: &'static Kind = &Kind {
        name: "ZeroEnded",
        module: module_path!(),
        doc: "Text that a zero byte ends.",
        shape: Shape::Text {
            lines: &["printable ASCII characters, then a zero byte"],
            walk: walk_by_hand::<Self>,
        },
        file: None,
        head_of: None,
        whole: false,
        class: None,
        endian: Endian::Big,
        versions: None,
        version_of: None,
        trailing: Trailing::Refuse,
        canonical: true,
        size: None,
        min: 1,
        steps: &[],
    };
    const MIN: usize = 1;
    const SIZE: Option<usize> = None;
    const DEPTH: usize = 0;

    fn open<'b, E: Fail, const LEVEL: u8>(
        input: &'b [u8],
        at: usize,
        cx: Cx,
    ) -> Result<(ZeroEndedView<'b>, usize), E> {
        let fail = |fault| E::fail(|| Error::new(Self::KIND, u16::MAX, at, fault));
        let Some(end) = input.iter().position(|byte| *byte == 0) else {
            let available = input.len() as u64;
            let needed = available + 1;
            return Err(fail(if cx.closed {
                Fault::Overrun { needed, available }
            } else {
                Fault::Short { needed, available }
            }));
        };
        let text = &input[..end];
        // Whether the text is right does not matter to those who only step over it.
        if LEVEL >= ondisk::format::FULL && !is_text(text) {
            let found = end as u64;
            return Err(fail(Fault::Refused { rule: RULE, found }));
        }
        Ok((ZeroEndedView { text }, end + 1))
    }

    fn value(view: Self::View<'_>) -> Self::Value<'_> {
        Self {
            text: view.text.to_vec(),
        }
    }
}

impl Encode for ZeroEnded {
    fn encoded_len_at(&self, _: u32) -> usize {
        self.text.len() + 1
    }

    fn encode_at(&self, _: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !is_text(&self.text) {
            let found = self.text.len() as u64;
            let fault = Fault::Refused { rule: RULE, found };
            return Err(EncodeError::new(Self::KIND, u16::MAX, fault));
        }
        out.extend(&self.text);
        out.push(0);
        Ok(())
    }

    fn rewrite(
        view: ZeroEndedView<'_>,
        version: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        Self::value(view).encode_at(version, out)
    }
}

#[cfg(feature = "arbitrary")]
impl<'a> ondisk::arbitrary::ArbitraryAt<'a> for ZeroEnded {
    fn arbitrary_at(
        from: &mut ondisk::arbitrary::Unstructured<'a>,
        _: u32,
    ) -> ondisk::arbitrary::Result<Self> {
        let bytes = ondisk::arbitrary::bytes(from, 0..=9)?;
        let text = bytes.iter().map(|byte| 0x20 + byte % 0x5f).collect();
        Ok(Self { text })
    }
}

/// By hand in place, behind a condition, and as entries, with rows of all sorts behind.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    #[format(len(to..=names))]
    len: u16,
    #[format(nested)]
    pub to: ZeroEnded,
    #[format(tag)]
    pub from: Option<ZeroEnded>,
    #[format(count(names))]
    count: u8,
    pub names: Vec<ZeroEnded>,
    pub pages: u16,
    #[format(crc32(..crc))]
    crc: u32,
}

const BYTES: &str = "000b 6100 01 6200 02 6300 646500 0007 59472246";

#[test]
fn a_codec_by_hand_is_a_row_like_any_other() {
    let case = Case::of::<Letter>(0, BYTES);
    assert_eq!(Letter::MIN, 11);
    assert_eq!(case.needs(), [11, 19]);
    let bytes = hex(BYTES);
    let view = Letter::view(&bytes).unwrap();
    assert_eq!(view.to().text(), b"a");
    assert_eq!(view.from().map(|from| from.text()), Some(&b"b"[..]));
    let names: Vec<_> = view.names().iter().map(|name| name.text()).collect();
    assert_eq!(names, [&b"c"[..], b"de"]);
    assert_eq!(view.pages(), 7);
}

#[test]
fn its_refusals_keep_their_place_and_their_turn() {
    let case = Case::of::<Letter>(0, BYTES);
    let refused = |row, at, found| (row, at, Fault::Refused { rule: RULE, found });
    assert_eq!(case.with(2, "01").0, "crc");
    assert_eq!(case.repaired_with(2, "01"), refused("", 2, 1));
    assert_eq!(case.repaired_with(5, "01"), refused("", 5, 1));
    assert_eq!(case.repaired_with(11, "01"), refused("", 10, 2));
    // No zero byte up to the end of the declared length.
    assert_eq!(case.with(12, "66"), ("", 10, overrun(4, 3)));
    assert_eq!(case.with(0, "000a"), ("", 10, overrun(3, 2)));
    assert_eq!(case.cut(14), ("pages", 13, short(19, 14)));
}

#[test]
fn what_it_refuses_to_write_leaves_the_buffer_alone() {
    let letter = Letter {
        to: ZeroEnded {
            text: b"a\0b".to_vec(),
        },
        from: None,
        names: Vec::new(),
        pages: 0,
    };
    let mut out = vec![1];
    let error = letter.encode(&mut out).unwrap_err();
    assert_eq!((error.kind().name, out), ("ZeroEnded", vec![1]));
}
