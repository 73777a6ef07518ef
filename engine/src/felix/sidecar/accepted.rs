//! Which leader is accepted: `replica` and `ballot` combined (Felix 11.4).

use std::cmp::Ordering;

use ondisk::felix::{Ballot, Replica};

/// The accepted generation of a shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Highest generation a leader was accepted at.
    pub generation: u64,
    /// One past the newest record known to be held by a majority.
    pub commit: u64,
    /// The leader behind the generation, where one is recorded.
    pub leader: Option<String>,
    /// The generation was given up: every leader of it is refused.
    pub given_up: bool,
}

impl Accepted {
    /// From both files, either of which may be absent.
    #[must_use]
    pub fn of(replica: Option<&Replica>, ballot: Option<&Ballot>) -> Self {
        let (generation, commit) =
            replica.map_or((0, 0), |replica| (replica.generation, replica.commit));
        let unnamed = Self {
            generation,
            commit,
            leader: None,
            given_up: false,
        };
        let Some(ballot) = ballot else { return unnamed };
        match ballot.generation.cmp(&generation) {
            // Left from a generation before.
            Ordering::Less => unnamed,
            // Ahead: a raise that crashed between its two writes, of which the ballot is the first.
            Ordering::Equal | Ordering::Greater => Self {
                generation: ballot.generation,
                commit,
                leader: Some(ballot.leader.clone()).filter(|leader| !leader.is_empty()),
                given_up: ballot.leader.is_empty(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Accepted, Ballot, Replica};

    #[test]
    fn combined() {
        let replica = |generation| Replica {
            reserved: 0,
            generation,
            commit: 42,
        };
        let ballot = |generation, leader: &str| Ballot {
            generation,
            leader: leader.to_owned(),
        };
        for (name, replica, ballot, generation, commit, leader, given_up) in [
            ("neither", None, None, 0, 0, None, false),
            ("replica alone", Some(replica(3)), None, 3, 42, None, false),
            (
                "ballot equal",
                Some(replica(3)),
                Some(ballot(3, "a")),
                3,
                42,
                Some("a"),
                false,
            ),
            (
                "ballot equal, given up",
                Some(replica(3)),
                Some(ballot(3, "")),
                3,
                42,
                None,
                true,
            ),
            (
                "ballot ahead",
                Some(replica(3)),
                Some(ballot(4, "b")),
                4,
                42,
                Some("b"),
                false,
            ),
            (
                "ballot ahead, no replica",
                None,
                Some(ballot(1, "b")),
                1,
                0,
                Some("b"),
                false,
            ),
            (
                "ballot behind",
                Some(replica(3)),
                Some(ballot(2, "b")),
                3,
                42,
                None,
                false,
            ),
        ] {
            let leader = leader.map(str::to_owned);
            let expected = Accepted {
                generation,
                commit,
                leader,
                given_up,
            };
            assert_eq!(
                Accepted::of(replica.as_ref(), ballot.as_ref()),
                expected,
                "{name}"
            );
        }
    }
}
