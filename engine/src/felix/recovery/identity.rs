//! The name of a plan.

use std::fmt;

use super::Plan;

/// FNV-1a of 64 bits over the printed plan: settings, mark, the files it was made on with their lengths, findings, steps
/// and outcome; not the first line, since a path can be spelled in many ways. Two plans with one id say the same. It guards
/// against applying another plan than the one that was shown, not against an adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanId(pub u64);

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Plan {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> PlanId {
        let mut hash = Fnv1a(0xcbf2_9ce4_8422_2325);
        // Writing to a hash cannot fail.
        let _ok = self.print(&mut hash);
        PlanId(hash.0)
    }
}

struct Fnv1a(u64);

impl fmt::Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}
