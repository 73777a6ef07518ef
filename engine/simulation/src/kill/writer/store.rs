//! A data directory, and what is done to it at random.

use std::collections::BTreeMap;

use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::{FileState, Root, Store, StoreConfig};

use super::{Answer, Pipe, Shard, WriterArguments};
use crate::kill::said::{Act, Ends, Line, Place, Said};
use crate::kill::settings::Settings;
use crate::kill::store::{RootAct, RootSaid, SHARDS, STREAMS, stream_key};
use crate::random::Random;

/// A data directory that is open.
struct Written<'a> {
    pipe: &'a Pipe,
    settings: &'a Settings,
    store: Store,
    shards: BTreeMap<Place, Shard<'a>>,
    /// What is held of each stream, if anything is.
    held: Vec<Option<u64>>,
    /// One above all incarnations that were ever held.
    next_incarnation: u64,
    registered: u64,
}

/// Writes until it is killed.
pub(super) fn write(pipe: &Pipe, arguments: &WriterArguments) -> Answer {
    let settings = Settings::of(arguments.mode, arguments.settings);
    let mut random = Random::new(arguments.script);
    let mut next = arguments.round << 24;
    loop {
        let mut written = Written::start(pipe, &settings, arguments)?;
        while !random.one_in(120) {
            written.step(&mut random, &mut next)?;
        }
        written.stop()?;
    }
}

impl<'a> Written<'a> {
    fn start(pipe: &'a Pipe, settings: &'a Settings, arguments: &WriterArguments) -> Answer<Self> {
        pipe.say(&Line::Root(RootSaid::Begin(RootAct::Start)));
        let config = StoreConfig {
            log: settings.config.clone(),
            ..StoreConfig::default()
        };
        let path = &arguments.directory;
        let store = Store::open(path, config).map_err(|error| format!("start: {error}"))?;
        let id = store.storage_id().ok_or("it has no storage id")?;
        pipe.say(&Line::Root(RootSaid::Started(u128::from_be_bytes(id))));
        let looked = RealDirectory::open(path).map_err(|error| error.to_string())?;
        let root = Root::look(looked).map_err(|error| format!("look: {error}"))?;
        let markers: Vec<_> = (0..STREAMS)
            .map(|stream| {
                let name = stream_key(stream).marker_name();
                let marker = root.markers.iter().find(|marker| marker.name == name);
                marker.and_then(|marker| marker.state.sound().cloned())
            })
            .collect();
        let used = markers.iter().flatten();
        let highest = used.flat_map(|marker| [marker.incarnation, marker.deleted_through]);
        let registered = match &root.identity.registration {
            FileState::Sound(registration) => registration.incarnation,
            _ => 0,
        };
        Ok(Self {
            pipe,
            settings,
            store,
            shards: BTreeMap::new(),
            next_incarnation: highest.flatten().max().unwrap_or(0) + 1,
            held: markers
                .into_iter()
                .map(|marker| marker.and_then(|marker| marker.incarnation))
                .collect(),
            registered,
        })
    }

    fn step(&mut self, random: &mut Random, next: &mut u64) -> Answer {
        let stream = random.below(STREAMS);
        let at = usize::try_from(stream).unwrap_or_default();
        let shard = u32::try_from(random.below(SHARDS.into())).unwrap_or_default();
        match (random.below(60), self.held[at]) {
            (0, _) => {
                self.registered += 1;
                let number = self.registered;
                self.act(RootAct::Register(number), |store| store.register(number))
            }
            (1, Some(through)) => {
                self.held[at] = None;
                self.close(stream);
                self.act(RootAct::Delete(stream, through), |store| {
                    store.delete_stream(&stream_key(stream), through).map(drop)
                })
            }
            (2, _) | (_, None) => self.hold(stream, shard),
            (_, Some(incarnation)) => {
                let place = Place {
                    stream,
                    shard,
                    incarnation,
                };
                if !self.shards.contains_key(&place) {
                    return self.open(place);
                }
                let shard = self.shards.get_mut(&place);
                shard.map_or(Ok(()), |shard| shard.step(random, next))
            }
        }
    }

    /// Lets the handles of a stream go: the store closes its logs.
    fn close(&mut self, stream: u64) {
        self.shards.retain(|place, _| place.stream != stream);
    }

    fn hold(&mut self, stream: u64, shard: u32) -> Answer {
        let incarnation = self.next_incarnation;
        self.next_incarnation += 1;
        self.close(stream);
        let place = Place {
            stream,
            shard,
            incarnation,
        };
        let act = RootAct::Hold(stream, incarnation);
        self.pipe.say(&Line::Root(RootSaid::Begin(act)));
        self.open(place)?;
        self.pipe.say(&Line::Root(RootSaid::Done));
        self.held[usize::try_from(stream).unwrap_or_default()] = Some(incarnation);
        Ok(())
    }

    fn open(&mut self, place: Place) -> Answer {
        let store = self.store.clone();
        let open = || store.open_shard(&place.in_store());
        let shard = Shard::open(self.pipe, place, self.settings, open)?;
        self.shards.insert(place, shard);
        Ok(())
    }

    fn act(&self, act: RootAct, does: impl FnOnce(&Store) -> Result<(), StorageError>) -> Answer {
        let begun = RootSaid::Begin(act);
        self.pipe.say(&Line::Root(begun.clone()));
        does(&self.store).map_err(|error| format!("{begun}: {error}"))?;
        self.pipe.say(&Line::Root(RootSaid::Done));
        Ok(())
    }

    /// Ends it cleanly: the store closes all logs.
    fn stop(mut self) -> Answer {
        for (place, shard) in &mut self.shards {
            shard.waiting.clear();
            self.pipe.of(*place, Said::Begin(Act::Close));
        }
        self.act(RootAct::Stop, Store::shutdown)?;
        for (place, shard) in &self.shards {
            self.pipe.of(*place, Said::Done(Ends::of(&shard.log)));
        }
        Ok(())
    }
}
