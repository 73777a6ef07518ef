//! Starting a data directory that a kill left, and comparing it with what was seen there.

use std::path::Path;

use ondisk_engine::felix::store::{NewStorageId, Store, StoreConfig};

use super::{KnownRoot, RootAct, RootSaid};
use crate::kill::look::Look;
use crate::kill::opened::compare;
use crate::kill::said::{Act, Ends, Said};

impl KnownRoot {
    /// Starts it, opens every shard, compares it with what a look at it sees, and stops it cleanly. What was there has been
    /// [held](Self::hold) against what was said.
    ///
    /// # Errors
    /// What is different.
    pub fn start_and_stop(&mut self, path: &Path) -> Result<(), String> {
        let config = StoreConfig {
            log: self.settings.checking(),
            ..StoreConfig::default()
        };
        self.hear(&RootSaid::Begin(RootAct::Start))?;
        let store = Store::open(path, config).map_err(|error| format!("start: {error}"))?;
        let started = store.started();
        let cut_off = started.new_storage_id == Some(NewStorageId::CutOff);
        if started.new_storage_id.is_some() && !cut_off && self.storage_id.is_some() {
            return Err(format!("a new storage id: {started:?}"));
        }
        if let Some(failed) = started.deletes.iter().find(|delete| delete.moved.is_err()) {
            return Err(format!("a delete stays unfinished: {failed:?}"));
        }
        let id = store.storage_id().ok_or("no storage id")?;
        self.hear(&RootSaid::Started(u128::from_be_bytes(id)))?;
        let mut logs = Vec::new();
        for (&place, known) in &mut self.shards {
            let at = |why| format!("{place:?}: {why}");
            let directory = path.join(place.in_store().directory_name());
            let Some(look) = Look::at(&directory).map_err(at)? else {
                continue;
            };
            known.hear(&Said::Begin(Act::Open))?;
            let opened = store.open_shard(&place.in_store());
            let log = opened.map_err(|error| at(format!("open: {error}")))?;
            known.hear(&Said::Done(Ends::of(&log))).map_err(at)?;
            compare(&log, &look).map_err(at)?;
            known.hear(&Said::Begin(Act::Close))?;
            logs.push((place, log));
        }
        self.hear(&RootSaid::Begin(RootAct::Stop))?;
        store.shutdown().map_err(|error| format!("stop: {error}"))?;
        self.hear(&RootSaid::Done)?;
        for (place, log) in logs {
            self.hear_of(place, &Said::Done(Ends::of(&log)))?;
        }
        self.hold(path).map(drop)
    }
}
