//! Names of the files that identify a data directory (Felix 11.8, 11.9).

/// A file of identity at the root of a data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdentityFile {
    /// `storage-id`: what the directory is known by.
    StorageId,
    /// `run-state`: whether the last run ended cleanly.
    RunState,
    /// `registration`: the incarnation that the broker last registered with.
    Registration,
    /// `node-id`: first part of the keys of offloaded segments.
    NodeId,
}

impl IdentityFile {
    /// Every file of identity, in the order in which a start reads them.
    pub const ALL: [Self; 4] = [
        Self::StorageId,
        Self::RunState,
        Self::Registration,
        Self::NodeId,
    ];

    /// Reads a file name; none when it is not one of these.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.file_name() == name)
    }

    /// Reads the file name of a temporary; none when it is not one of these.
    #[must_use]
    pub fn parse_temporary(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|file| file.temporary_name() == name)
    }

    /// Its file name.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::StorageId => "storage-id",
            Self::RunState => "run-state",
            Self::Registration => "registration",
            Self::NodeId => "node-id",
        }
    }

    /// The file name under which it is written before it takes its own.
    #[must_use]
    pub const fn temporary_name(self) -> &'static str {
        match self {
            Self::StorageId => "storage-id.tmp",
            Self::RunState => "run-state.tmp",
            Self::Registration => "registration.tmp",
            Self::NodeId => "node-id.tmp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IdentityFile;

    #[test]
    fn both_ways() {
        for file in IdentityFile::ALL {
            assert_eq!(IdentityFile::parse(file.file_name()), Some(file));
            assert_eq!(
                IdentityFile::parse_temporary(file.temporary_name()),
                Some(file)
            );
            assert_eq!(IdentityFile::parse(file.temporary_name()), None);
            assert_eq!(IdentityFile::parse_temporary(file.file_name()), None);
        }
    }
}
