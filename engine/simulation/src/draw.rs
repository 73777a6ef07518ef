//! Scripts that nobody thought of.

use arbitrary::{Arbitrary as _, Result, Unstructured};
use ondisk_engine::disk::simulated::Fault;
use ondisk_engine::felix::log::FsyncMode;

use crate::faults::ERRORS;
use crate::random::Random;
use crate::shard::{INTERVAL, Op, Script, Settings};

/// Bytes that a script of a seed is drawn from.
const BYTES: usize = 1024;

/// The script of a seed, with `most` steps at most. The same seed gives the same script.
#[must_use]
pub fn script(seed: u64, most: usize) -> Script {
    let mut random = Random::new(seed);
    let bytes: Vec<u8> = (0..BYTES / 8)
        .flat_map(|_| random.next().to_le_bytes())
        .collect();
    let mut source = Unstructured::new(&bytes);
    let mut script = script_from(&mut source, most).unwrap_or_else(|_| Script {
        name: String::new(),
        settings: Settings::default(),
        fault: None,
        ops: Vec::new(),
    });
    script.name = format!("seed {seed}");
    script
}

/// A script from any bytes, as a fuzzer has them.
///
/// # Errors
/// When the bytes are too few for its settings.
pub fn script_from(source: &mut Unstructured<'_>, most: usize) -> Result<Script> {
    let settings = settings(source)?;
    let fault = fault(source)?;
    let mut ops = Vec::new();
    while ops.len() < most && !source.is_empty() {
        ops.push(op(source)?);
    }
    Ok(Script {
        name: String::from("drawn"),
        settings,
        fault,
        ops,
    })
}

/// One script in four has a call that fails.
fn fault(source: &mut Unstructured<'_>) -> Result<Option<Fault>> {
    if !source.ratio(1, 4)? {
        return Ok(None);
    }
    let at = source.int_in_range(0..=400)?;
    Ok(Some(match source.ratio(1, 8)? {
        true => Fault::Short { at },
        false => Fault::Fails {
            at,
            errno: source.choose(&ERRORS)?.1,
            for_good: bool::arbitrary(source)?,
        },
    }))
}

fn settings(source: &mut Unstructured<'_>) -> Result<Settings> {
    let modes = [
        FsyncMode::OnCommit,
        FsyncMode::None,
        FsyncMode::Periodic { interval: INTERVAL },
    ];
    Ok(Settings {
        fsync: *source.choose(&modes)?,
        segment: *source.choose(&[60, 200, 700, 2048, 5000])?,
        threshold: *source.choose(&[100, 100, 50, 80])?,
        keep: *source.choose(&[0, 0, 1500, 5000])?,
        age: *source.choose(&[0, 0, 100])?,
        preallocate: bool::arbitrary(source)?,
        mapped: source.ratio(1, 16)?,
        repair: source.ratio(1, 8)?,
    })
}

fn sizes(source: &mut Unstructured<'_>) -> Result<Vec<u16>> {
    let records = source.int_in_range(1..=4)?;
    let size = |source: &mut Unstructured<'_>| -> Result<u16> {
        match source.int_in_range(0..=9_u8)? {
            0 => Ok(0),
            1..=5 => source.int_in_range(1..=90),
            6..=8 => source.int_in_range(91..=700),
            _ => source.int_in_range(701..=3000),
        }
    };
    (0..records).map(|_| size(source)).collect()
}

fn op(source: &mut Unstructured<'_>) -> Result<Op> {
    Ok(match source.int_in_range(0..=99_u8)? {
        0..=29 => Op::Append(sizes(source)?),
        30..=35 => Op::Enqueue(sizes(source)?),
        36..=38 => Op::Wait,
        39..=44 => {
            let len = source.int_in_range(1..=4)?;
            Op::Produce {
                producer: source.int_in_range(1..=2)?,
                len,
                held: source.int_in_range(1..=len)?,
            }
        }
        45..=48 => Op::Retry(source.int_in_range(1..=2)?),
        49 => Op::GenerationStart,
        50..=53 => Op::Sync,
        54..=57 => Op::Roll,
        58..=65 => Op::Background,
        66..=71 => Op::Truncate(source.int_in_range(0..=12)?),
        72 => Op::Restore(source.int_in_range(0..=6)?),
        73..=74 => Op::Reset(source.int_in_range(0..=60)?),
        75..=77 => Op::Retain,
        78..=79 => Op::Advance(source.int_in_range(0..=120)?),
        80 => Op::Jump(source.int_in_range(-500..=500)?),
        81..=83 => Op::Epoch,
        84..=87 => Op::Accept {
            raise: source.int_in_range(0..=2)?,
            leader: source.int_in_range(0..=3)?,
        },
        88 => Op::GiveUp,
        89 => Op::Commit(source.int_in_range(0..=9)?),
        90 => Op::Offload,
        91..=92 => Op::Close,
        93..=94 => Op::Drop,
        _ => Op::Cut(source.int_in_range(0..=u64::from(u16::MAX))?),
    })
}
