//! What is explored to find a mistake.

use ondisk_engine::disk::hooked::Call;
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_simulation::explore::{Limits, Subject, Tally, explore};
use ondisk_simulation::promise::Violation;
use ondisk_simulation::shard::Script;

use crate::new_shard::NewShard;

/// EIO.
const BROKEN: i32 = 5;

/// What is explored to find a mistake.
pub enum Explored {
    /// A script, with the power cut at every operation.
    Script(&'static str),
    /// The same, once for each sync of a file behind the first open, which fails. The process goes on, with the log opened
    /// again where that is needed.
    EachSyncFails(&'static str),
    /// A data directory that gets its first shard.
    NewShard,
}

impl Explored {
    /// The first promise that is found broken.
    pub fn first_violation(&self) -> Option<Violation> {
        match self {
            Self::Script(text) => broken(&script(text)),
            Self::EachSyncFails(text) => {
                let mut script = script(text);
                syncs(&script).into_iter().find_map(|at| {
                    script.fault = Some(Fault::Fails {
                        at,
                        errno: BROKEN,
                        for_good: false,
                    });
                    broken(&script).map(|found| found.within(format!("call {at} fails")))
                })
            }
            Self::NewShard => broken(&NewShard),
        }
    }
}

fn script(text: &str) -> Script {
    text.parse()
        .unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The numbers of the calls that sync a file once the log is open, in a run in which none fails.
fn syncs(script: &Script) -> Vec<u64> {
    let trails = script
        .run(SimulatedDisk::new())
        .unwrap_or_else(|violation| panic!("{violation}"));
    let trail = &trails[0];
    let opened = trail.stages[1].first;
    let syncs = trail
        .moments
        .iter()
        .filter(|moment| moment.call == Call::SyncFile && moment.at >= opened);
    // The disk is kept when the call has been counted.
    syncs.map(|moment| moment.disk.calls() - 1).collect()
}

fn broken<S: Subject>(subject: &S) -> Option<Violation> {
    // Every mistake shows after one power cut, without another one in the recovery.
    let limits = Limits {
        disks: 24,
        recoveries: 0,
        ..Limits::default()
    };
    explore(subject, &limits, &mut Tally::default()).err()
}
