//! What recovery may do (Felix 7.1).

/// Settings of a recovery. The defaults are those of an open.
///
/// ```
/// use ondisk_engine::felix::recovery::{Provable, Settings};
///
/// // The seed to the letter, with everything looked at.
/// let settings = Settings {
///     verify_all_on_open: true,
///     provable: Provable::STRICT,
///     ..Settings::default()
/// };
/// assert!(!settings.repair_checksum_tail && !settings.provable.zero_tail);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Opts in to cutting a damaged last record that is complete (Felix 7.3, rule 3).
    pub repair_checksum_tail: bool,
    /// Scans sealed segments in full, instead of from their last index entry on.
    pub verify_all_on_open: bool,
    /// The repairs that the seed does not have, each provable from the durable mark or the manifest.
    pub provable: Provable,
    /// Record bytes between two entries of a rebuilt index, at least 1.
    pub index_spacing_bytes: u64,
    /// The base of a log that turns out to be fresh; an existing log ignores it (Felix 14.3).
    pub open_at: u64,
}

/// Switches of the repairs that go beyond the seed; with all of them off it holds to the letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provable {
    /// Cuts damage that begins past the durable mark (Felix 7.3, rule 2).
    pub past_durable_mark: bool,
    /// Cuts zeros that a power loss left behind the data (Felix 7.3, rule 4).
    pub zero_tail: bool,
    /// Cuts a retired segment that was never sealed (Felix 7.8).
    pub unfinished_roll: bool,
    /// Removes blank segments inside the chain and abandoned ones at its end (Felix 7.4, 7.5).
    pub blank_segments: bool,
    /// Removes a head of which the manifest holds copies (Felix 7.7).
    pub offloaded_gap: bool,
    /// Lets `zero_tail` apply where there is no mark that could vouch for the zeros. Off by default: nothing proves it.
    pub zero_tail_without_mark: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            repair_checksum_tail: false,
            verify_all_on_open: false,
            provable: Provable::ALL,
            index_spacing_bytes: 4096,
            open_at: 0,
        }
    }
}

impl Provable {
    /// All that is provable.
    pub const ALL: Self = Self {
        past_durable_mark: true,
        zero_tail: true,
        unfinished_roll: true,
        blank_segments: true,
        offloaded_gap: true,
        zero_tail_without_mark: false,
    };

    /// None of them: the seed to the letter.
    pub const STRICT: Self = Self {
        past_durable_mark: false,
        zero_tail: false,
        unfinished_roll: false,
        blank_segments: false,
        offloaded_gap: false,
        zero_tail_without_mark: false,
    };
}
