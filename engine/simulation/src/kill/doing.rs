//! What a writer is at when it is killed.

/// What a kill can hit. Threads in the background are at work beside any of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doing {
    /// Nothing was said yet.
    Start,
    /// An open, recovery included.
    Open,
    /// An append, in one thread or several.
    Append,
    /// One of many pages.
    LargeAppend,
    /// A sync.
    Sync,
    /// A roll.
    Roll,
    /// A truncation.
    Truncate,
    /// A reset.
    Reset,
    /// Going back, committed records included.
    Restore,
    /// A retention pass.
    Retain,
    /// A new generation is noted.
    Epoch,
    /// A leader is accepted.
    Accept,
    /// A generation is given up.
    GiveUp,
    /// The commit is raised.
    Commit,
    /// A close, or the last handle goes.
    Close,
    /// The start of a data directory.
    StoreStart,
    /// A registration is noted.
    Register,
    /// Another incarnation of a stream is held.
    Hold,
    /// A stream is deleted.
    Delete,
    /// The clean end of a data directory.
    StoreStop,
    /// Between two of these.
    Between,
}

impl Doing {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 21] = [
        Self::Start,
        Self::Open,
        Self::Append,
        Self::LargeAppend,
        Self::Sync,
        Self::Roll,
        Self::Truncate,
        Self::Reset,
        Self::Restore,
        Self::Retain,
        Self::Epoch,
        Self::Accept,
        Self::GiveUp,
        Self::Commit,
        Self::Close,
        Self::StoreStart,
        Self::Register,
        Self::Hold,
        Self::Delete,
        Self::StoreStop,
        Self::Between,
    ];

    /// As it is printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "before the first word",
            Self::Open => "open",
            Self::Append => "append",
            Self::LargeAppend => "large append",
            Self::Sync => "sync",
            Self::Roll => "roll",
            Self::Truncate => "truncate",
            Self::Reset => "reset",
            Self::Restore => "restore",
            Self::Retain => "retain",
            Self::Epoch => "epoch",
            Self::Accept => "accept",
            Self::GiveUp => "give up",
            Self::Commit => "commit",
            Self::Close => "close",
            Self::StoreStart => "store start",
            Self::Register => "register",
            Self::Hold => "new incarnation",
            Self::Delete => "delete",
            Self::StoreStop => "store stop",
            Self::Between => "between calls",
        }
    }
}
