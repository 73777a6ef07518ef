//! Opening what a kill left, and comparing it with what was seen there before.

use std::collections::BTreeMap;

use ondisk_engine::felix::log::{Bound, Log, Mark};
use ondisk_engine::felix::producer::Answer;

use super::look::{Found, Look};

/// Whether `log`, which was just opened, is what `look` saw.
///
/// # Errors
/// What is different.
pub fn compare(log: &Log, look: &Look) -> Result<(), String> {
    let recovered = log.recovered();
    if recovered.may_have_lost_acknowledged() {
        return Err(format!("it may have lost what was flushed: {recovered:?}"));
    }
    let (bounds, seen) = ((log.base(), log.tail()), look.bounds());
    if bounds != seen {
        return Err(format!("{seen:?} was seen, {bounds:?} is open"));
    }
    if log.epochs() != look.epochs() || log.accepted() != look.accepted() {
        return Err("another history or leader is open than was seen".to_owned());
    }
    let records = read(log)?;
    if records != look.records {
        return Err("other records are open than were seen".to_owned());
    }
    for (producer, (sequence, first, last)) in newest_batches(&records) {
        let answer = log.classify(producer, sequence);
        if answer != (Answer::Held { first, last }) {
            return Err(format!("batch {sequence} of {producer} is {answer:?}"));
        }
    }
    Ok(())
}

fn read(log: &Log) -> Result<Vec<Found>, String> {
    let failed = |error| format!("it does not read: {error}");
    let mut records = log.read(log.base(), Bound::Tail).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(record) = records.next().map_err(failed)? {
        found.push(Found {
            offset: record.offset(),
            mark: record.mark(),
            payload: record.payload().to_vec(),
        });
    }
    Ok(found)
}

/// The newest whole batch of each producer: its sequence, and its first and last offset.
fn newest_batches(records: &[Found]) -> BTreeMap<u64, (u64, u64, u64)> {
    let mut newest = BTreeMap::new();
    let mut open = None;
    for record in records {
        open = match (record.mark, open) {
            (Mark::Opens(tag), _) => Some((tag, record.offset)),
            (Mark::Continues, open) => open,
            _ => None,
        };
        if let Some((tag, first)) = open
            && record.offset + 1 == first + u64::from(tag.len)
        {
            let batch = (tag.sequence, first, record.offset);
            newest.insert(tag.producer_id, batch);
            open = None;
        }
    }
    newest
}
