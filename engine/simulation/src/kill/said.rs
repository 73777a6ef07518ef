//! What a writer says on its pipe: a line for each thing, ahead of what it is about to do and after what it did.
//!
//! A line is shorter than `PIPE_BUF`, so that it arrives whole or not at all, however its writer ends.

use std::fmt;
use std::str::FromStr;

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::log::Log;

use super::batch::{Batch, Kind};
use super::doing::Doing;
use super::store::RootSaid;
use super::words::Words;

/// A line: of one shard, or of the data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Of the shard at this place.
    Shard(Place, Said),
    /// Of the data directory.
    Root(RootSaid),
    /// A call failed that must not.
    Failed(String),
}

/// A shard of a stream, in an incarnation. One of a single log is all zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Number of the stream.
    pub stream: u64,
    /// The shard.
    pub shard: u32,
    /// The incarnation.
    pub incarnation: u64,
}

/// What is said of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// This is about to be done. One such thing at a time.
    Begin(Act),
    /// It is done, and the log is as given.
    Done(Ends),
    /// The batch is about to be appended. Several at a time, from as many threads.
    Send(Batch),
    /// The append returned: the records of this batch have the offsets from `first` on.
    Have {
        /// Number of the batch.
        id: u64,
        /// Offset of its first record.
        first: u64,
    },
    /// Every record below is durable.
    Flushed(u64),
}

/// What is done to a log, besides appending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// An open.
    Open,
    /// `sync`.
    Sync,
    /// `roll`.
    Roll,
    /// `truncate` to an offset.
    Truncate(u64),
    /// `reset_to` a base.
    Reset(u64),
    /// `restore_to` an offset.
    Restore(u64),
    /// `retain`.
    Retain,
    /// `record_epoch` of a generation at an offset.
    Epoch(u64, u64),
    /// `accept` of a generation with a leader, if it has a name.
    Accept(u64, Option<String>),
    /// `give_up_generation`.
    GiveUp,
    /// `advance_commit` to an offset.
    Commit(u64),
    /// `close`.
    Close,
    /// The last handle goes, without a close.
    LetGo,
}

/// Where a log stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The oldest offset.
    pub base: u64,
    /// One past the newest offset.
    pub tail: u64,
    /// One past the newest that is durable.
    pub durable: u64,
    /// The commit, which is written behind.
    pub commit: u64,
}

impl Ends {
    /// Where `log` stands.
    #[must_use]
    pub fn of(log: &Log) -> Self {
        Self {
            base: log.base(),
            tail: log.tail(),
            durable: log.durable(),
            commit: log.accepted().commit,
        }
    }
}

impl Act {
    /// What a kill hits meanwhile.
    #[must_use]
    pub const fn doing(&self) -> Doing {
        match self {
            Self::Open => Doing::Open,
            Self::Sync => Doing::Sync,
            Self::Roll => Doing::Roll,
            Self::Truncate(_) => Doing::Truncate,
            Self::Reset(_) => Doing::Reset,
            Self::Restore(_) => Doing::Restore,
            Self::Retain => Doing::Retain,
            Self::Epoch(..) => Doing::Epoch,
            Self::Accept(..) => Doing::Accept,
            Self::GiveUp => Doing::GiveUp,
            Self::Commit(_) => Doing::Commit,
            Self::Close | Self::LetGo => Doing::Close,
        }
    }
}

impl Line {
    /// What begins with it, if anything does.
    #[must_use]
    pub fn begins(&self) -> Option<Doing> {
        match self {
            Self::Shard(_, Said::Begin(act)) => Some(act.doing()),
            Self::Shard(_, Said::Send(batch)) => Some(batch.doing()),
            Self::Root(RootSaid::Begin(act)) => Some(act.doing()),
            _ => None,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shard(place, said) => write!(
                f,
                "at {} {} {} {said}",
                place.stream, place.shard, place.incarnation
            ),
            Self::Root(said) => write!(f, "root {said}"),
            Self::Failed(why) => write!(f, "failed {}", why.replace('\n', " ")),
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin(act) => write!(f, "begin {act}"),
            Self::Done(ends) => write!(
                f,
                "done {} {} {} {}",
                ends.base, ends.tail, ends.durable, ends.commit
            ),
            Self::Send(batch) => {
                write!(f, "send {}", batch.id)?;
                match batch.kind {
                    Kind::Plain => f.write_str(" plain")?,
                    Kind::GenerationStart => f.write_str(" generation")?,
                    Kind::Producer(tag) => write!(
                        f,
                        " producer {} {} {}",
                        tag.producer_id, tag.sequence, tag.len
                    )?,
                }
                batch.sizes.iter().try_for_each(|size| write!(f, " {size}"))
            }
            Self::Have { id, first } => write!(f, "have {id} {first}"),
            Self::Flushed(end) => write!(f, "flushed {end}"),
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("open"),
            Self::Sync => f.write_str("sync"),
            Self::Roll => f.write_str("roll"),
            Self::Truncate(to) => write!(f, "truncate {to}"),
            Self::Reset(base) => write!(f, "reset {base}"),
            Self::Restore(to) => write!(f, "restore {to}"),
            Self::Retain => f.write_str("retain"),
            Self::Epoch(generation, start) => write!(f, "epoch {generation} {start}"),
            Self::Accept(generation, leader) => {
                write!(f, "accept {generation} {}", leader.as_deref().unwrap_or(""))
            }
            Self::GiveUp => f.write_str("give-up"),
            Self::Commit(to) => write!(f, "commit {to}"),
            Self::Close => f.write_str("close"),
            Self::LetGo => f.write_str("let-go"),
        }
    }
}

impl FromStr for Line {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = Words::of(line);
        let read = (|| match words.next()? {
            "at" => {
                let place = Place {
                    stream: words.number()?,
                    shard: words.number()?,
                    incarnation: words.number()?,
                };
                Some(Self::Shard(place, said(&mut words)?))
            }
            "root" => Some(Self::Root(RootSaid::read(&mut words)?)),
            "failed" => Some(Self::Failed(words.rest().to_owned())),
            _ => None,
        })();
        read.ok_or_else(|| format!("a writer said {line:?}"))
    }
}

fn said(words: &mut Words<'_>) -> Option<Said> {
    Some(match words.next()? {
        "begin" => Said::Begin(act(words)?),
        "done" => Said::Done(Ends {
            base: words.number()?,
            tail: words.number()?,
            durable: words.number()?,
            commit: words.number()?,
        }),
        "send" => Said::Send(Batch {
            id: words.number()?,
            kind: match words.next()? {
                "plain" => Kind::Plain,
                "generation" => Kind::GenerationStart,
                "producer" => Kind::Producer(ProducerTag {
                    producer_id: words.number()?,
                    sequence: words.number()?,
                    len: words.number()?,
                }),
                _ => return None,
            },
            sizes: words.numbers()?,
        }),
        "have" => Said::Have {
            id: words.number()?,
            first: words.number()?,
        },
        "flushed" => Said::Flushed(words.number()?),
        _ => return None,
    })
}

fn act(words: &mut Words<'_>) -> Option<Act> {
    Some(match words.next()? {
        "open" => Act::Open,
        "sync" => Act::Sync,
        "roll" => Act::Roll,
        "truncate" => Act::Truncate(words.number()?),
        "reset" => Act::Reset(words.number()?),
        "restore" => Act::Restore(words.number()?),
        "retain" => Act::Retain,
        "epoch" => Act::Epoch(words.number()?, words.number()?),
        "accept" => Act::Accept(words.number()?, words.next().map(str::to_owned)),
        "give-up" => Act::GiveUp,
        "commit" => Act::Commit(words.number()?),
        "close" => Act::Close,
        "let-go" => Act::LetGo,
        _ => return None,
    })
}
