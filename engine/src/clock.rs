//! What time it is: of the wall, which stamps records, and since some start, which measures.
//!
//! Whatever needs the time is given a [`Clock`], so that a test or a simulation says what it is.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A source of time.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use ondisk_engine::clock::{Clock, SystemClock};
/// use ondisk_engine::felix::log::Environment;
///
/// /// The time as a server far away has it.
/// #[derive(Debug)]
/// struct Ahead(Duration);
///
/// impl Clock for Ahead {
///     fn wall_micros(&self) -> u64 {
///         SystemClock.wall_micros() + self.0.as_micros() as u64
///     }
///
///     fn monotonic(&self) -> Duration {
///         SystemClock.monotonic()
///     }
/// }
///
/// let environment = Environment {
///     clock: Arc::new(Ahead(Duration::from_secs(1))),
///     ..Environment::default()
/// };
/// assert!(environment.clock.wall_micros() > SystemClock.wall_micros());
/// ```
pub trait Clock: fmt::Debug + Send + Sync {
    /// Wall clock in microseconds since the epoch. May jump, in both directions.
    fn wall_micros(&self) -> u64;

    /// Time since a fixed moment. Never goes back.
    fn monotonic(&self) -> Duration;
}

/// The clock of the operating system. All values of it share the start of their monotonic time.
///
/// ```
/// use ondisk_engine::clock::{Clock, SystemClock};
///
/// let begun = SystemClock.monotonic();
/// let took = SystemClock.monotonic() - begun;
/// println!("{took:?}, at {} µs since the epoch", SystemClock.wall_micros());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall_micros(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, micros)
    }

    fn monotonic(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

/// A clock that stands still until it is told. The two times have nothing to do with each other.
///
/// ```
/// use std::time::Duration;
///
/// use ondisk_engine::clock::{Clock, ManualClock};
///
/// let clock = ManualClock::at(1_000_000);
/// clock.advance(Duration::from_secs(1));
/// assert_eq!(clock.wall_micros(), 2_000_000);
/// assert_eq!(clock.monotonic(), Duration::from_secs(1));
/// // A wall clock may be set back.
/// clock.set_wall(5);
/// assert_eq!(clock.wall_micros(), 5);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock {
    wall_micros: AtomicU64,
    monotonic_nanos: AtomicU64,
}

impl ManualClock {
    /// A clock whose wall shows `wall_micros` since the epoch; its monotonic time is 0.
    #[must_use]
    pub fn at(wall_micros: u64) -> Self {
        Self {
            wall_micros: wall_micros.into(),
            monotonic_nanos: 0.into(),
        }
    }

    /// Sets the wall clock, in microseconds since the epoch; backwards too.
    pub fn set_wall(&self, micros: u64) {
        self.wall_micros.store(micros, Ordering::Release);
    }

    /// Lets the wall clock go on by `time`.
    pub fn advance_wall(&self, time: Duration) {
        add(&self.wall_micros, micros(time));
    }

    /// Sets the monotonic time; one that lies behind is ignored.
    pub fn set_monotonic(&self, time: Duration) {
        self.monotonic_nanos
            .fetch_max(nanos(time), Ordering::AcqRel);
    }

    /// Lets the monotonic time go on by `time`.
    pub fn advance_monotonic(&self, time: Duration) {
        add(&self.monotonic_nanos, nanos(time));
    }

    /// Lets both go on by `time`.
    pub fn advance(&self, time: Duration) {
        self.advance_wall(time);
        self.advance_monotonic(time);
    }
}

impl Clock for ManualClock {
    fn wall_micros(&self) -> u64 {
        self.wall_micros.load(Ordering::Acquire)
    }

    fn monotonic(&self) -> Duration {
        Duration::from_nanos(self.monotonic_nanos.load(Ordering::Acquire))
    }
}

/// Stops at the highest value: a clock that wraps would go back.
fn add(time: &AtomicU64, more: u64) {
    let sum = |time: u64| Some(time.saturating_add(more));
    let _always = time.fetch_update(Ordering::AcqRel, Ordering::Acquire, sum);
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Clock, ManualClock, SystemClock};

    #[test]
    fn a_manual_clock_moves_when_told() {
        let clock = ManualClock::at(7);
        assert_eq!(
            (clock.wall_micros(), clock.monotonic()),
            (7, Duration::ZERO)
        );
        clock.advance_wall(Duration::from_micros(3));
        clock.advance_monotonic(Duration::from_nanos(5));
        assert_eq!(
            (clock.wall_micros(), clock.monotonic()),
            (10, Duration::from_nanos(5))
        );
        clock.set_wall(1);
        clock.set_monotonic(Duration::ZERO);
        assert_eq!(
            (clock.wall_micros(), clock.monotonic()),
            (1, Duration::from_nanos(5))
        );
        clock.advance(Duration::MAX);
        assert_eq!(clock.wall_micros(), u64::MAX);
        assert_eq!(clock.monotonic(), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn the_system_clock_goes_on() {
        let before = SystemClock.monotonic();
        assert!(SystemClock.monotonic() >= before);
        // Past 2020, in microseconds and not in another unit.
        assert!((1_577_836_800_000_000..u64::MAX / 4).contains(&SystemClock.wall_micros()));
    }
}
