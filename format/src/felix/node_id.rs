//! The node id that offloaded keys begin with (Felix 11.9): a text kind, its codec written by hand.

use alloc::string::String;
use alloc::vec::Vec;

use super::name::is_node_id;
use crate::describe::{Class, Endian, Shape, Trailing};
use crate::encode::Encode;
use crate::error::{EncodeError, Error, Fail, Fault};
use crate::format::{Cx, FULL, Format, open_whole, walk_by_hand};
use crate::{FeatureLevels, Kind, WriteVersion};

/// The node id of a data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeId {
    /// 1 to 255 characters of `[A-Za-z0-9._-]`, the first no dot.
    pub id: String,
}

/// A validated look at the bytes of a [`NodeId`].
#[derive(Clone, Copy, Debug)]
pub struct NodeIdView<'a> {
    id: &'a str,
}

impl<'a> NodeIdView<'a> {
    /// 1 to 255 characters of `[A-Za-z0-9._-]`, the first no dot.
    #[must_use]
    pub const fn id(&self) -> &'a str {
        self.id
    }

    /// The value that the bytes hold.
    #[must_use]
    pub fn to_value(&self) -> NodeId {
        NodeId { id: self.id.into() }
    }
}

const RULE: &str =
    "a node id is 1 to 255 characters of [A-Za-z0-9._-], the first no dot, then one line feed";

impl NodeId {
    /// The description of this kind.
    pub const KIND: &'static Kind = <Self as Format>::KIND;

    /// Makes every check on `bytes`, which must be exactly one of this kind.
    ///
    /// # Errors
    /// [`Fault::Refused`] at the start.
    pub fn view(bytes: &[u8]) -> Result<NodeIdView<'_>, Error> {
        open_whole::<Self, FULL>(bytes, 0)
    }

    /// Appends the text. On an error `out` is as it was.
    ///
    /// # Errors
    /// An id that would not read back.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.encode_at(0, out)
    }

    /// The version written: text kinds of one form have none.
    #[must_use]
    pub fn write_version(levels: &FeatureLevels<'_>) -> WriteVersion<Self> {
        WriteVersion::default_under(levels)
    }
}

impl Format for NodeId {
    type View<'b> = NodeIdView<'b>;
    type Value<'b> = Self;
    type Layout = [u8; 0];
    type Versioned = Self;
    const KIND: &'static Kind = &Kind {
        name: "NodeId",
        module: core::module_path!(),
        doc: "The node id of a data directory: the first part of offloaded keys.",
        shape: Shape::Text {
            lines: &[
                "1 to 255 of [A-Za-z0-9._-], the first no dot, then LF (may be absent on read)",
            ],
            walk: walk_by_hand::<Self>,
        },
        file: Some("node-id"),
        head_of: None,
        whole: true,
        class: Some(Class::Authoritative),
        endian: Endian::Big,
        versions: None,
        version_of: None,
        trailing: Trailing::Refuse,
        canonical: false,
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
        _: Cx,
    ) -> Result<(NodeIdView<'b>, usize), E> {
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        match core::str::from_utf8(text) {
            Ok(id) if is_node_id(id) => Ok((NodeIdView { id }, input.len())),
            _ => Err(E::fail(|| {
                Error::new(
                    Self::KIND,
                    u16::MAX,
                    at,
                    Fault::Refused {
                        rule: RULE,
                        found: input.len() as u64,
                    },
                )
            })),
        }
    }

    fn value(view: Self::View<'_>) -> Self::Value<'_> {
        view.to_value()
    }
}

impl Encode for NodeId {
    fn encoded_len_at(&self, _: u32) -> usize {
        self.id.len() + 1
    }

    fn encode_at(&self, _: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !is_node_id(&self.id) {
            let fault = Fault::Refused {
                rule: RULE,
                found: self.id.len() as u64,
            };
            return Err(EncodeError::new(Self::KIND, u16::MAX, fault));
        }
        out.extend_from_slice(self.id.as_bytes());
        out.push(b'\n');
        Ok(())
    }

    fn rewrite(view: Self::View<'_>, version: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        view.to_value().encode_at(version, out)
    }
}

#[cfg(feature = "arbitrary")]
impl crate::arbitrary::Generate for NodeId {
    fn generate(
        from: &mut arbitrary::Unstructured<'_>,
        version: u32,
    ) -> arbitrary::Result<Result<Vec<u8>, EncodeError>> {
        const FIRST: &[u8] = b"abcxyzABCXYZ0189_-";
        const LETTERS: &[u8] = b"abcxyzABCXYZ0189_-.";
        let len = from.int_in_range(1..=40)?;
        let mut id = String::new();
        for _ in 0..len {
            let letters = if id.is_empty() { FIRST } else { LETTERS };
            id.push(char::from(*from.choose(letters)?));
        }
        let mut bytes = Vec::new();
        Ok(Self { id }.encode_at(version, &mut bytes).map(|()| bytes))
    }
}
