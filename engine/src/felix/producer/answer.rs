//! Classifying a batch that a producer sends (Felix 12.2).

use super::ProducerState;

/// What the log knows of a sequence number of a producer. Refusing it is the broker's business.
///
/// ```
/// use ondisk_engine::felix::producer::Answer;
///
/// /// What a broker does with a batch that it is sent; an error is what it says instead.
/// fn decide(answer: Answer) -> Result<&'static str, &'static str> {
///     match answer {
///         Answer::Next | Answer::Unknown => Ok("append it"),
///         Answer::Partial { .. } => Ok("append what is missing"),
///         Answer::Held { .. } => Ok("say where it is"),
///         Answer::Gap { .. } => Err("out of order"),
///         Answer::Expired => Err("too old to tell"),
///     }
/// }
///
/// assert_eq!(decide(Answer::Held { first: 0, last: 1 }), Ok("say where it is"));
/// assert_eq!(decide(Answer::Gap { expected: 3 }), Err("out of order"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The batch is at the tail, and not whole.
    Partial {
        /// Offset of its first record.
        first: u64,
        /// Records of it that are there.
        held: u32,
        /// Records that it has.
        len: u32,
    },
    /// Nothing is known of the producer.
    Unknown,
    /// It comes next.
    Next,
    /// Batches between are missing.
    Gap {
        /// The sequence that would come next.
        expected: u64,
    },
    /// The batch is in the log.
    Held {
        /// Offset of its first record.
        first: u64,
        /// Offset of its last record.
        last: u64,
    },
    /// It is older than what is remembered.
    Expired,
}

impl ProducerState {
    /// What is known of the batch `sequence` of `producer`.
    #[must_use]
    pub fn classify(&self, producer: u64, sequence: u64) -> Answer {
        if let Some(open) = self
            .open()
            .filter(|open| open.producer == producer && open.sequence == sequence)
        {
            return Answer::Partial {
                first: open.first,
                held: open.held,
                len: open.len,
            };
        }
        let Some(known) = self.known(producer) else {
            return Answer::Unknown;
        };
        let Some(age) = known.last.checked_sub(sequence) else {
            // Above `last`, so the addition cannot overflow.
            let expected = known.last.saturating_add(1);
            return if sequence == expected {
                Answer::Next
            } else {
                Answer::Gap { expected }
            };
        };
        let index = usize::try_from(age)
            .ok()
            .and_then(|age| known.window.len().checked_sub(1)?.checked_sub(age));
        match index.and_then(|index| known.window.get(index)) {
            Some(batch) => Answer::Held {
                first: batch.first,
                last: batch.last(),
            },
            None => Answer::Expired,
        }
    }
}
