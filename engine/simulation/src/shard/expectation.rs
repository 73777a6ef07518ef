//! What may be found at one moment: one ledger, or one of several.

use super::found::{Found, Payload};
use super::ledger::Ledger;
use crate::promise::Violation;

/// Ledgers of which one must hold. More than one while something is under way that is done as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation(Vec<Ledger>);

impl Default for Expectation {
    fn default() -> Self {
        Self(vec![Ledger::default()])
    }
}

impl From<Ledger> for Expectation {
    fn from(ledger: Ledger) -> Self {
        Self(vec![ledger])
    }
}

impl Expectation {
    /// One or the other.
    #[must_use]
    pub fn either(one: Ledger, other: Ledger) -> Self {
        Self(vec![one, other])
    }

    /// The ledger that is known to hold. Steps begin with one, since what is uncertain is settled by an open first.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.0[0]
    }

    /// The same, to be changed.
    pub fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.0[0]
    }

    /// Changes each of them.
    pub fn each(&mut self, change: impl FnMut(&mut Ledger)) {
        self.0.iter_mut().for_each(change);
    }

    /// What may be found while this turns into `after`.
    #[must_use]
    pub fn between(&self, after: &Self) -> Self {
        let mut all = Vec::new();
        for from in &self.0 {
            all.extend(after.0.iter().map(|to| from.between(to)));
        }
        Self(all)
    }

    /// Whether this record was ever appended at this offset.
    #[must_use]
    pub fn was_appended(&self, offset: u64, payload: &Payload) -> bool {
        self.0
            .iter()
            .any(|ledger| ledger.was_appended(offset, payload))
    }

    /// An offset that is owed by each of the ledgers in its way, and not among these.
    #[must_use]
    pub fn missing_from(&self, there: &[u64]) -> Option<u64> {
        let missing: Option<Vec<_>> = self
            .0
            .iter()
            .map(|ledger| ledger.missing_from(there))
            .collect();
        missing.and_then(|missing| missing.into_iter().next())
    }

    /// Whether a log that was found is allowed.
    ///
    /// # Errors
    /// What the last of the ledgers says against it.
    pub fn accept(&self, found: &Found) -> Result<(), Violation> {
        let mut refused = Ok(());
        for ledger in &self.0 {
            refused = ledger.accept(found);
            if refused.is_ok() {
                return Ok(());
            }
        }
        refused
    }
}
