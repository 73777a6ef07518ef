//! The oracle of a data directory.

use std::collections::BTreeMap;
use std::path::Path;

use ondisk::felix::RunPhase;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::FsyncMode;
use ondisk_engine::felix::store::Root;

use super::markers::{Markers, is_deleted, is_held};
use super::{RootAct, RootSaid};
use crate::kill::doing::Doing;
use crate::kill::look::Look;
use crate::kill::oracle::{Known, Lost};
use crate::kill::said::{Place, Said};
use crate::kill::settings::Settings;

/// What is known of a data directory.
#[derive(Clone, Debug)]
pub struct KnownRoot {
    pub(super) settings: Settings,
    pub(super) storage_id: Option<u128>,
    /// What `run-state` may say; none when there is no such file.
    pub(super) run: Vec<Option<RunPhase>>,
    /// What `registration` may say, 0 for no such file.
    registered: Vec<u64>,
    /// The shards that were opened, in the places where they may be.
    pub(super) shards: BTreeMap<Place, Known>,
    /// What was begun and is not done.
    act: Option<RootAct>,
    /// A delete that a kill cut off, and the next start finishes.
    unfinished: Option<RootAct>,
    markers: Markers,
}

impl KnownRoot {
    /// A data directory that is not there yet.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            storage_id: None,
            run: vec![None],
            registered: vec![0],
            shards: BTreeMap::new(),
            act: None,
            unfinished: None,
            markers: Markers::default(),
        }
    }

    /// What the writer is at.
    #[must_use]
    pub fn doing(&self) -> Doing {
        let root = self.act.as_ref().map(RootAct::doing);
        let mut shards = self.shards.values().map(Known::doing);
        root.or_else(|| shards.find(|&doing| doing != Doing::Between))
            .unwrap_or(Doing::Between)
    }

    /// Takes in what the writer says of a shard.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn hear_of(&mut self, place: Place, said: &Said) -> Result<(), String> {
        let new = || Known::new(&self.settings);
        self.shards.entry(place).or_insert_with(new).hear(said)
    }

    /// Takes in what the writer says of the directory.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn hear(&mut self, said: &RootSaid) -> Result<(), String> {
        match said {
            RootSaid::Begin(act) => {
                match act {
                    RootAct::Register(number) => self.registered.push(*number),
                    RootAct::Start => self.run.push(Some(RunPhase::Running)),
                    RootAct::Stop => self.run.push(Some(RunPhase::Stopped)),
                    RootAct::Hold(..) | RootAct::Delete(..) => {}
                }
                self.act = Some(act.clone());
                return Ok(());
            }
            RootSaid::Started(id) => self.started(*id)?,
            RootSaid::Done => self.done(),
        }
        self.act = None;
        self.run.drain(..self.run.len() - 1);
        self.registered.drain(..self.registered.len() - 1);
        Ok(())
    }

    /// Whether the next start, after the run that is known, makes a new storage id: the last one did not stop, and
    /// acknowledged before it synced.
    fn renews(&self) -> bool {
        let early = self.settings.config.fsync != FsyncMode::OnCommit;
        self.storage_id.is_none() || (early && self.run[0] == Some(RunPhase::Running))
    }

    pub(super) fn started(&mut self, id: u128) -> Result<(), String> {
        let is_new = self.storage_id != Some(id);
        if is_new != self.renews() {
            return Err(format!(
                "storage id {id:x} after {:x?} and a run that was {:?}",
                self.storage_id, self.run[0]
            ));
        }
        self.storage_id = Some(id);
        self.act = self.unfinished.take();
        self.done();
        Ok(())
    }

    /// What was begun is done.
    fn done(&mut self) {
        match self.act {
            Some(RootAct::Hold(stream, incarnation)) => {
                self.markers.hold(stream, incarnation);
                self.forget(stream, incarnation);
            }
            Some(RootAct::Delete(stream, through)) => {
                self.markers.delete(stream, through);
                self.forget(stream, through + 1);
            }
            _ => {}
        }
    }

    /// Incarnations of a stream below one are gone.
    fn forget(&mut self, stream: u64, below: u64) {
        self.shards
            .retain(|place, _| place.stream != stream || place.incarnation >= below);
    }

    /// Holds what lies at `path` against what was said, after a kill, and goes on from there. Returns how many records
    /// were there for which an append had returned, and how many besides.
    ///
    /// # Errors
    /// What is not there, or should not be.
    pub fn hold(&mut self, path: &Path) -> Result<(u64, u64), String> {
        let directory = match path.try_exists() {
            Ok(true) => RealDirectory::open(path).map_err(|error| error.to_string())?,
            _ if self.storage_id.is_none() => return Ok((0, 0)),
            _ => return Err("the data directory is gone".to_owned()),
        };
        let root = Root::look(directory).map_err(|error| format!("look: {error}"))?;
        self.hold_identity(&root)?;
        let begun = self.act.as_ref().filter(|act| **act != RootAct::Start);
        let begun = begun.or(self.unfinished.as_ref()).cloned();
        self.markers.check(&root, begun.as_ref())?;
        let found: Vec<&str> = root.shards.iter().map(|shard| &*shard.name).collect();
        for name in &found {
            let mut places = self.shards.keys();
            if !places.any(|place| place.in_store().directory_name() == *name) {
                return Err(format!("shard {name} should be gone"));
            }
        }
        let goes = |place: &Place| begun.as_ref().is_some_and(|act| takes(act, place, &root));
        self.shards.retain(|place, _| {
            found.contains(&&*place.in_store().directory_name()) || !goes(place)
        });
        let (mut records, mut in_flight) = (0, 0);
        for (place, known) in &mut self.shards {
            let at = |why| format!("{place:?}: {why}");
            let path = path.join(place.in_store().directory_name());
            let look = Look::at(&path).map_err(at)?;
            let held = known.hold(look.as_ref(), Lost::Nothing).map_err(at)?;
            records += held.known;
            in_flight += held.in_flight;
            known.settle(look.as_ref(), held);
        }
        self.settle(&root);
        Ok((records, in_flight))
    }

    fn hold_identity(&self, root: &Root) -> Result<(), String> {
        let id = id_of(root);
        let starts = self.act == Some(RootAct::Start);
        if id != self.storage_id && !(starts && self.renews() && id.is_some()) {
            return Err(format!("storage id {id:x?}, not {:x?}", self.storage_id));
        }
        let run = root.identity.run_state.sound().map(|file| file.state);
        if !self.run.contains(&run) {
            return Err(format!("run state {run:?}, not one of {:?}", self.run));
        }
        let registered = registered(root);
        if !self.registered.contains(&registered) {
            let may = &self.registered;
            return Err(format!("registered as {registered}, not one of {may:?}"));
        }
        match root.foreign.is_empty() {
            true => Ok(()),
            false => Err(format!("not ours: {:?}", root.foreign)),
        }
    }

    fn settle(&mut self, root: &Root) {
        match self.act.take() {
            Some(RootAct::Hold(stream, incarnation)) if is_held(root, stream, incarnation) => {
                self.markers.hold(stream, incarnation);
            }
            Some(delete @ RootAct::Delete(stream, through))
                if is_deleted(root, stream, through) =>
            {
                self.unfinished = Some(delete);
            }
            _ => {}
        }
        self.storage_id = id_of(root);
        self.run = vec![root.identity.run_state.sound().map(|file| file.state)];
        self.registered = vec![registered(root)];
    }
}

/// Whether an act that was begun takes a shard out of its place.
fn takes(act: &RootAct, place: &Place, root: &Root) -> bool {
    match *act {
        RootAct::Hold(stream, incarnation) => {
            stream == place.stream && place.incarnation < incarnation
        }
        RootAct::Delete(stream, through) => {
            stream == place.stream
                && place.incarnation <= through
                && is_deleted(root, stream, through)
        }
        _ => false,
    }
}

fn id_of(root: &Root) -> Option<u128> {
    let file = root.identity.storage_id.sound();
    file.map(|file| u128::from_be_bytes(file.id))
}

fn registered(root: &Root) -> u64 {
    let file = root.identity.registration.sound();
    file.map_or(0, |file| file.incarnation)
}
