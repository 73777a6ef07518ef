//! Cutting the power at every operation, and looking at what is found.
//!
//! A subject runs once, and the disk is kept as it was ahead of each of its operations. Of each of those moments many disks
//! are made, as power may leave them. Each is opened and held against what was expected at that moment; and the recovery
//! that the open makes is itself cut at each of *its* operations, and must come to a right log all the same.

mod limits;
mod tally;
mod trail;

pub use limits::Limits;
pub use tally::Tally;
pub use trail::{Stage, Trail};

use std::panic::{AssertUnwindSafe, catch_unwind};

use ondisk_engine::disk::simulated::{Model, SimulatedDisk};

use crate::promise::{Promise, Violation};

/// Something that changes a disk, and knows what it owes at any moment.
pub trait Subject {
    /// What may be found at one moment.
    type Expectation: Clone;

    /// What it is called in reports.
    fn name(&self) -> &str;

    /// Runs to the end on an empty disk.
    ///
    /// # Errors
    /// A promise that is broken without a power cut.
    fn run(&self, disk: SimulatedDisk) -> Result<Vec<Trail<Self::Expectation>>, Violation>;

    /// What a start after a power cut does to the disk.
    fn recover(&self, disk: &SimulatedDisk);

    /// What may be found when that was cut off as well; the same, unless a start leaves word of itself.
    fn recovering(&self, expected: &Self::Expectation) -> Self::Expectation {
        expected.clone()
    }

    /// Starts after a power cut, and holds what is there against what is expected; `seed` is for power cuts of its own.
    ///
    /// # Errors
    /// The first promise that is broken.
    fn check(
        &self,
        disk: &SimulatedDisk,
        expected: &Self::Expectation,
        seed: u64,
    ) -> Result<(), Violation>;

    /// Starts on a disk that does not keep what it was given, and sees that no loss goes unsaid.
    ///
    /// # Errors
    /// The first promise that is broken.
    fn survives(&self, disk: &SimulatedDisk, expected: &Self::Expectation)
    -> Result<(), Violation>;
}

/// Explores one subject: every moment of its run, as far as the limits say.
///
/// # Errors
/// The first promise that is broken, with the place: enough to find it again.
pub fn explore<S: Subject>(
    subject: &S,
    limits: &Limits,
    tally: &mut Tally,
) -> Result<(), Violation> {
    let mut found = Explorer {
        subject,
        limits,
        tally,
    };
    let trails = unwinding(|| subject.run(SimulatedDisk::new()));
    let named = |violation: Violation| violation.within(subject.name());
    let trails = trails.map_err(named)?;
    for (number, trail) in trails.iter().enumerate() {
        let within = |violation: Violation| match trails.len() {
            1 => named(violation),
            _ => named(violation.within(format!("disk {number}"))),
        };
        found.trail(number, trail).map_err(within)?;
    }
    Ok(())
}

struct Explorer<'e, S> {
    subject: &'e S,
    limits: &'e Limits,
    tally: &'e mut Tally,
}

impl<S: Subject> Explorer<'_, S> {
    fn trail(&mut self, number: usize, trail: &Trail<S::Expectation>) -> Result<(), Violation> {
        for moment in &trail.moments {
            let expected = trail.expected_at(moment.at);
            let place = Place {
                trail: number,
                at: moment.at,
                recovery: None,
            };
            self.moment(&moment.disk, expected, place)
                .map_err(|violation| {
                    let call = format!("{:?} of {:?}", moment.call, moment.name);
                    violation.within(format!("cut at operation {} ({call})", moment.at))
                })?;
        }
        let place = Place {
            trail: number,
            at: trail.end.operations(),
            recovery: None,
        };
        self.moment(&trail.end, trail.expected_at_end(), place)
            .map_err(|violation| violation.within("cut at the end"))
    }

    /// All disks of one moment.
    fn moment(
        &mut self,
        disk: &SimulatedDisk,
        expected: &S::Expectation,
        place: Place,
    ) -> Result<(), Violation> {
        let dirty = disk.is_dirty();
        // What is all on the device is found in one way.
        let seeds = if dirty { self.limits.disks } else { 1 };
        for seed in 0..seeds {
            let found = disk.after(self.limits.model, self.limits.seed ^ seed);
            if !self.tally.state(self.subject.name(), place, &found, dirty) {
                continue;
            }
            let within = |violation: Violation| violation.within(format!("disk {seed} of it"));
            let cut_recovery = place.recovery.is_none() && seed < self.limits.recoveries;
            let twin = cut_recovery.then(|| found.copy());
            self.check(&found, expected, seed).map_err(within)?;
            if let Some(twin) = twin {
                self.recovery(&twin, expected, place, seed)
                    .map_err(within)?;
            }
        }
        Ok(())
    }

    /// Cuts the recovery of this disk at each of its operations.
    fn recovery(
        &mut self,
        disk: &SimulatedDisk,
        expected: &S::Expectation,
        place: Place,
        seed: u64,
    ) -> Result<(), Violation> {
        disk.record();
        self.subject.recover(disk);
        let expected = &self.subject.recovering(expected);
        for moment in disk.moments() {
            let place = Place {
                recovery: Some((seed, moment.at)),
                ..place
            };
            let seeds = if moment.disk.is_dirty() {
                self.limits.recovery_disks
            } else {
                1
            };
            for again in 0..seeds {
                let found = moment.disk.after(Model::PowerCut, self.limits.seed ^ again);
                let dirty = moment.disk.is_dirty();
                if !self.tally.state(self.subject.name(), place, &found, dirty) {
                    continue;
                }
                self.check(&found, expected, again).map_err(|violation| {
                    let call = format!("{:?} of {:?}", moment.call, moment.name);
                    let at = moment.at;
                    violation.within(format!("recovery cut at {at} ({call}), disk {again} of it"))
                })?;
            }
        }
        Ok(())
    }

    fn check(
        &mut self,
        disk: &SimulatedDisk,
        expected: &S::Expectation,
        seed: u64,
    ) -> Result<(), Violation> {
        self.tally.checked();
        unwinding(|| match self.limits.model {
            Model::PowerCut => self.subject.check(disk, expected, seed),
            _ => self.subject.survives(disk, expected),
        })
    }
}

/// Where a state was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    trail: usize,
    at: u64,
    /// Of the recovery of which disk, and ahead of which of its operations.
    recovery: Option<(u64, u64)>,
}

/// A panic breaks a promise of its own.
pub(crate) fn unwinding<T>(act: impl FnOnce() -> Result<T, Violation>) -> Result<T, Violation> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        let what = text.unwrap_or_else(|| String::from("a panic without words"));
        Err(Violation::new(Promise::NeverPanics, what))
    })
}
