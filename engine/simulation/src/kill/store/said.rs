//! What a writer says of its data directory.

use std::fmt;

use crate::kill::doing::Doing;
use crate::kill::words::Words;

/// What is said of a data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootSaid {
    /// This is about to be done. One such thing at a time.
    Begin(RootAct),
    /// The start is over, and the directory has this storage id.
    Started(u128),
    /// Anything else is done.
    Done,
}

/// What is done to a data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootAct {
    /// An open.
    Start,
    /// `register` of an incarnation of the broker.
    Register(u64),
    /// An incarnation of a stream is opened that is newer than the one that is held.
    Hold(u64, u64),
    /// `delete_stream` through an incarnation.
    Delete(u64, u64),
    /// `shutdown`.
    Stop,
}

impl RootAct {
    /// What a kill hits meanwhile.
    #[must_use]
    pub const fn doing(&self) -> Doing {
        match self {
            Self::Start => Doing::StoreStart,
            Self::Register(_) => Doing::Register,
            Self::Hold(..) => Doing::Hold,
            Self::Delete(..) => Doing::Delete,
            Self::Stop => Doing::StoreStop,
        }
    }
}

impl RootSaid {
    /// What the words say.
    #[must_use]
    pub fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(match words.next()? {
            "begin" => Self::Begin(match words.next()? {
                "start" => RootAct::Start,
                "register" => RootAct::Register(words.number()?),
                "hold" => RootAct::Hold(words.number()?, words.number()?),
                "delete" => RootAct::Delete(words.number()?, words.number()?),
                "stop" => RootAct::Stop,
                _ => return None,
            }),
            "started" => Self::Started(words.number()?),
            "done" => Self::Done,
            _ => return None,
        })
    }
}

impl fmt::Display for RootSaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin(RootAct::Start) => f.write_str("begin start"),
            Self::Begin(RootAct::Register(number)) => write!(f, "begin register {number}"),
            Self::Begin(RootAct::Hold(stream, number)) => write!(f, "begin hold {stream} {number}"),
            Self::Begin(RootAct::Delete(stream, through)) => {
                write!(f, "begin delete {stream} {through}")
            }
            Self::Begin(RootAct::Stop) => f.write_str("begin stop"),
            Self::Started(id) => write!(f, "started {id}"),
            Self::Done => f.write_str("done"),
        }
    }
}
