//! A step of a script, and its line of text.

use std::fmt;
use std::str::FromStr;

use ondisk::felix::name;
use ondisk_engine::felix::store::{Family, ShardPlace};

use super::stream_key;

/// What is done to a data directory. A shard is spelled `store/stream/number@incarnation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A shard is opened, and created if need be.
    Open(ShardPlace),
    /// The same, and a record of this length is appended to it and waited for.
    Append(ShardPlace, u16),
    /// The same, and the generation after the one that is accepted is accepted there.
    Raise(ShardPlace),
    /// The log of a shard is closed, if it is open.
    Close(ShardPlace),
    /// A stream or a cache is deleted, every incarnation up to this one.
    Delete(Family, String, u64),
    /// What waits in the background is done.
    Background,
    /// The broker registers.
    Register(u64),
    /// The node id is asked for.
    NodeId,
    /// Another storage id is made.
    NewId,
    /// The run is ended, and another one begins.
    Stop,
    /// The store is let go without an end, and another run begins.
    Drop,
    /// Power is cut, and a disk by this seed is found.
    Cut(u64),
}

impl Op {
    /// The shard that it is about.
    #[must_use]
    pub const fn place(&self) -> Option<&ShardPlace> {
        match self {
            Self::Open(place)
            | Self::Append(place, _)
            | Self::Raise(place)
            | Self::Close(place) => Some(place),
            _ => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(place) => write!(f, "open {}", spelled(place)),
            Self::Append(place, size) => write!(f, "append {} {size}", spelled(place)),
            Self::Raise(place) => write!(f, "raise {}", spelled(place)),
            Self::Close(place) => write!(f, "close {}", spelled(place)),
            Self::Delete(family, stream, through) => {
                let family = family.stores()[0].name();
                write!(f, "delete {family} {stream} {through}")
            }
            Self::Background => f.write_str("background"),
            Self::Register(incarnation) => write!(f, "register {incarnation}"),
            Self::NodeId => f.write_str("node-id"),
            Self::NewId => f.write_str("new-id"),
            Self::Stop => f.write_str("stop"),
            Self::Drop => f.write_str("drop"),
            Self::Cut(seed) => write!(f, "cut {seed}"),
        }
    }
}

impl FromStr for Op {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["open", place] => Ok(Self::Open(parsed(place)?)),
            ["append", place, size] => Ok(Self::Append(parsed(place)?, number(size)?)),
            ["raise", place] => Ok(Self::Raise(parsed(place)?)),
            ["close", place] => Ok(Self::Close(parsed(place)?)),
            ["delete", store, stream, through] => {
                let store = name::Store::parse(store).ok_or_else(|| format!("{line}: {store}?"))?;
                let family = Family::of(store);
                Ok(Self::Delete(family, stream.to_owned(), number(through)?))
            }
            ["background"] => Ok(Self::Background),
            ["register", incarnation] => Ok(Self::Register(number(incarnation)?)),
            ["node-id"] => Ok(Self::NodeId),
            ["new-id"] => Ok(Self::NewId),
            ["stop"] => Ok(Self::Stop),
            ["drop"] => Ok(Self::Drop),
            ["cut", seed] => Ok(Self::Cut(number(seed)?)),
            _ => Err(format!("{line}: not a step")),
        }
    }
}

fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word}: not a number"))
}

/// A shard as scripts spell it.
pub(super) fn spelled(place: &ShardPlace) -> String {
    let (store, key) = (place.store.name(), &place.key);
    let incarnation = place.incarnation;
    format!("{store}/{}/{}@{incarnation}", key.stream, key.shard)
}

fn parsed(word: &str) -> Result<ShardPlace, String> {
    let parts: Vec<&str> = word.split(['/', '@']).collect();
    let [store, stream, shard, incarnation] = parts[..] else {
        return Err(format!("{word}: store/stream/shard@incarnation"));
    };
    let store = name::Store::parse(store).ok_or_else(|| format!("{store}: not a store"))?;
    let key = stream_key(stream).shard(number(shard)?);
    Ok(ShardPlace::new(store, key).of_incarnation(number(incarnation)?))
}
