//! A step of a script, and its line of text.

use std::fmt;
use std::str::FromStr;

/// What is done to a log. Places are told from the tail backwards, so that a step makes sense wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A batch of payloads of these lengths in bytes, waited for.
    Append(Vec<u16>),
    /// The same, not waited for.
    Enqueue(Vec<u16>),
    /// Waits for all that nobody has waited for.
    Wait,
    /// A batch of a producer with `len` records, of which the first `held` come.
    Produce {
        /// Its id.
        producer: u8,
        /// Records of the batch, at least 1.
        len: u8,
        /// Records that come, at least 1.
        held: u8,
    },
    /// The newest batch of a producer once more, as by a client that got no answer: appended unless the log has it.
    Retry(u8),
    /// The record that a leader appends first.
    GenerationStart,
    /// Everything is flushed.
    Sync,
    /// The active segment is sealed.
    Roll,
    /// Whatever is ready in the background, once.
    Background,
    /// Truncation so many records before the tail.
    Truncate(u8),
    /// A restore to so many records before the tail.
    Restore(u8),
    /// Everything is dropped, and the log goes on here.
    Reset(u16),
    /// A pass of retention.
    Retain,
    /// Both clocks go on by so many seconds.
    Advance(u8),
    /// The wall clock alone jumps by so many seconds.
    Jump(i16),
    /// The next generation begins at the tail.
    Epoch,
    /// A leader asks for a generation so much higher; 0 is nobody's name, others are letters.
    Accept {
        /// Added to the generation that is accepted.
        raise: u8,
        /// Which leader.
        leader: u8,
    },
    /// The accepted generation is given up.
    GiveUp,
    /// A majority holds all but so many records.
    Commit(u8),
    /// The log is closed, its sealed segments are entered into the manifest as copied, and it is opened.
    Offload,
    /// The log is closed and opened.
    Close,
    /// The log is let go without a close, and opened.
    Drop,
    /// Power is cut, and a disk by this seed is found.
    Cut(u64),
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, word: &str, sizes: &[u16]| {
            f.write_str(word)?;
            sizes.iter().try_for_each(|size| write!(f, " {size}"))
        };
        match self {
            Self::Append(sizes) => list(f, "append", sizes),
            Self::Enqueue(sizes) => list(f, "enqueue", sizes),
            Self::Wait => f.write_str("wait"),
            Self::Produce {
                producer,
                len,
                held,
            } => write!(f, "produce {producer} {len} {held}"),
            Self::Retry(producer) => write!(f, "retry {producer}"),
            Self::GenerationStart => f.write_str("generation-start"),
            Self::Sync => f.write_str("sync"),
            Self::Roll => f.write_str("roll"),
            Self::Background => f.write_str("background"),
            Self::Truncate(back) => write!(f, "truncate {back}"),
            Self::Restore(back) => write!(f, "restore {back}"),
            Self::Reset(base) => write!(f, "reset {base}"),
            Self::Retain => f.write_str("retain"),
            Self::Advance(seconds) => write!(f, "advance {seconds}"),
            Self::Jump(seconds) => write!(f, "jump {seconds}"),
            Self::Epoch => f.write_str("epoch"),
            Self::Accept { raise, leader } => write!(f, "accept {raise} {leader}"),
            Self::GiveUp => f.write_str("give-up"),
            Self::Commit(back) => write!(f, "commit {back}"),
            Self::Offload => f.write_str("offload"),
            Self::Close => f.write_str("close"),
            Self::Drop => f.write_str("drop"),
            Self::Cut(seed) => write!(f, "cut {seed}"),
        }
    }
}

impl FromStr for Op {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let word = words.next().ok_or("an empty line")?;
        let rest: Vec<&str> = words.collect();
        let number = |at: usize| -> Result<i64, String> {
            let word = rest.get(at).ok_or_else(|| format!("{line}: too short"))?;
            word.parse().map_err(|_| format!("{line}: not a number"))
        };
        let small = |at| narrow::<u8>(number(at)?, line);
        let sizes = || {
            let all = 0..rest.len();
            all.map(|at| narrow::<u16>(number(at)?, line))
                .collect::<Result<_, _>>()
        };
        Ok(match word {
            "append" => Self::Append(sizes()?),
            "enqueue" => Self::Enqueue(sizes()?),
            "wait" => Self::Wait,
            "produce" => Self::Produce {
                producer: small(0)?,
                len: small(1)?,
                held: small(2)?,
            },
            "retry" => Self::Retry(small(0)?),
            "generation-start" => Self::GenerationStart,
            "sync" => Self::Sync,
            "roll" => Self::Roll,
            "background" => Self::Background,
            "truncate" => Self::Truncate(small(0)?),
            "restore" => Self::Restore(small(0)?),
            "reset" => Self::Reset(narrow(number(0)?, line)?),
            "retain" => Self::Retain,
            "advance" => Self::Advance(small(0)?),
            "jump" => Self::Jump(narrow(number(0)?, line)?),
            "epoch" => Self::Epoch,
            "accept" => Self::Accept {
                raise: small(0)?,
                leader: small(1)?,
            },
            "give-up" => Self::GiveUp,
            "commit" => Self::Commit(small(0)?),
            "offload" => Self::Offload,
            "close" => Self::Close,
            "drop" => Self::Drop,
            "cut" => {
                let seed = rest.first().and_then(|word| word.parse().ok());
                Self::Cut(seed.ok_or_else(|| format!("{line}: not a seed"))?)
            }
            _ => return Err(format!("{line}: not a step")),
        })
    }
}

fn narrow<T: TryFrom<i64>>(number: i64, line: &str) -> Result<T, String> {
    T::try_from(number).map_err(|_| format!("{line}: {number} is out of range"))
}
