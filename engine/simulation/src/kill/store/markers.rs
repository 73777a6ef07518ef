//! What the markers of streams must say.

use std::collections::BTreeMap;

use ondisk::felix::StreamMarker;
use ondisk_engine::felix::store::{FileState, Root};

use super::{RootAct, stream_key};

/// What was done to streams, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Markers {
    /// The incarnation that is held.
    held: BTreeMap<u64, u64>,
    /// Every incarnation up to it is deleted.
    deleted: BTreeMap<u64, u64>,
}

impl Markers {
    /// Another incarnation is held.
    pub(super) fn hold(&mut self, stream: u64, incarnation: u64) {
        self.held.insert(stream, incarnation);
    }

    /// A stream is deleted.
    pub(super) fn delete(&mut self, stream: u64, through: u64) {
        self.held.remove(&stream);
        self.deleted.insert(stream, through);
    }

    /// Holds the markers that lie there against this, while `act` is being done.
    pub(super) fn check(&self, root: &Root, act: Option<&RootAct>) -> Result<(), String> {
        let damaged = |state: &FileState<_>| !matches!(state, FileState::Sound(_));
        if let Some(marker) = root.markers.iter().find(|marker| damaged(&marker.state)) {
            return Err(format!("a marker that does not decode: {marker:?}"));
        }
        for (&stream, &incarnation) in &self.held {
            let marker = marker_of(root, stream);
            let says = marker.and_then(|marker| marker.incarnation);
            let may = match act {
                Some(&RootAct::Hold(of, other)) if of == stream => says == Some(other),
                Some(&RootAct::Delete(of, through)) if of == stream => {
                    is_deleted(root, stream, through)
                }
                _ => false,
            };
            if says != Some(incarnation) && !may {
                return Err(format!(
                    "stream {stream} holds {incarnation}, its marker: {marker:?}"
                ));
            }
        }
        for (&stream, &through) in &self.deleted {
            let deletes = matches!(act, Some(&RootAct::Delete(of, _)) if of == stream);
            if !is_deleted(root, stream, through) && !deletes {
                let marker = marker_of(root, stream);
                return Err(format!(
                    "stream {stream} is deleted through {through}, its marker: {marker:?}"
                ));
            }
        }
        Ok(())
    }
}

/// Whether the marker says that a stream is deleted, or being deleted, through an incarnation.
pub(super) fn is_deleted(root: &Root, stream: u64, through: u64) -> bool {
    marker_of(root, stream).is_some_and(|marker| marker.deleted_through == Some(through))
}

/// Whether the marker says that an incarnation is held.
pub(super) fn is_held(root: &Root, stream: u64, incarnation: u64) -> bool {
    marker_of(root, stream).is_some_and(|marker| marker.incarnation == Some(incarnation))
}

fn marker_of(root: &Root, stream: u64) -> Option<&StreamMarker> {
    let name = stream_key(stream).marker_name();
    let marker = root.markers.iter().find(|marker| marker.name == name)?;
    marker.state.sound()
}
