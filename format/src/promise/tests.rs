//! A reader that does not do what its description says is caught.

use alloc::vec::Vec;

use super::*;
use crate::encode::Encode;
use crate::error::{EncodeError, Fail};
use crate::format::{Cx, Format};
use crate::walk::samples::{FRAME, frame};

/// Says that it is a frame, and reads as the number says: anything, too much, nothing.
#[derive(Debug)]
struct Liar<const HOW: u8>;

impl<const HOW: u8> Format for Liar<HOW> {
    type View<'b> = &'b [u8];
    type Value<'b> = &'b [u8];
    type Layout = [u8; 0];
    type Versioned = Self;
    const KIND: &'static Kind = &FRAME;
    const MIN: usize = 10;
    const SIZE: Option<usize> = None;
    const DEPTH: usize = 0;

    fn open<E: Fail, const LEVEL: u8>(input: &[u8], at: usize, _: Cx) -> Result<(&[u8], usize), E> {
        let refuse = |fault| Err(E::fail(|| Error::new(&FRAME, 3, at, fault)));
        match HOW {
            0 => Ok((input, input.len())),
            1 => Ok((input, input.len() + 1)),
            2 => refuse(Fault::Checksum {
                expected: 1,
                found: 2,
            }),
            _ => refuse(Fault::Short {
                needed: 3,
                available: 3,
            }),
        }
    }

    fn value(view: Self::View<'_>) -> Self::Value<'_> {
        view
    }
}

impl<const HOW: u8> Encode for Liar<HOW> {
    fn encoded_len_at(&self, _: u32) -> usize {
        0
    }

    fn encode_at(&self, _: u32, _: &mut Vec<u8>) -> Result<(), EncodeError> {
        Ok(())
    }

    fn rewrite(view: Self::View<'_>, _: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        // The last byte is lost.
        out.extend(view.iter().take(view.len().saturating_sub(1)));
        Ok(())
    }
}

#[cfg(feature = "arbitrary")]
impl<const HOW: u8> crate::arbitrary::Generate for Liar<HOW> {
    fn generate(
        _: &mut arbitrary::Unstructured<'_>,
        _: u32,
    ) -> arbitrary::Result<Result<Vec<u8>, EncodeError>> {
        Ok(Ok(Vec::new()))
    }
}

fn caught<const HOW: u8>(bytes: &[u8]) -> String {
    check(&Entry::of::<Liar<HOW>>(), bytes, 2)
        .map_or_else(|broken| broken.to_string(), |()| "nothing".to_string())
}

#[test]
fn liars_are_caught() {
    let right = frame(1, &[0, 7], b"hi");
    let mut wrong = right.clone();
    wrong[13] ^= 1;
    for (said, what) in [
        (caught::<0>(&wrong), "Frame: read, though"),
        (caught::<0>(&right), "Frame: written as another value"),
        (
            caught::<1>(&right),
            "Frame: reads 15 bytes, the description gives Some(14)",
        ),
        (caught::<2>(&right), "Frame: the reader finds"),
        (
            caught::<3>(&wrong),
            "Frame: a short read needs no more than is there",
        ),
    ] {
        assert!(said.starts_with(what), "{said}");
    }
}
