//! Processes that write are killed, and lose nothing; and what would be a loss is noticed.

mod noticed;

use std::path::PathBuf;

use ondisk_simulation::kill::{Campaign, FileSystem, Ground, Images, Tally};

/// Any number does; it is printed with whatever fails.
const SEED: u64 = 20;

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_ondisk-simulation").into()
}

/// A place on this file system; none, and why, where it cannot be had.
#[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
fn ground(file_system: FileSystem) -> Option<Ground> {
    match Ground::new(file_system, &std::env::temp_dir()) {
        Ok(ground) => Some(ground),
        Err(why) => {
            eprintln!("skipped on {}: {why}", file_system.name());
            None
        }
    }
}

/// Kills so many writers of logs and so many of data directories.
fn killed(file_system: FileSystem, of_logs: u64, of_stores: u64) {
    let Some(ground) = ground(file_system) else {
        return;
    };
    let mut tally = Tally::default();
    for (store, rounds) in [(false, of_logs), (true, of_stores)] {
        let campaign = Campaign {
            program: program(),
            ground: ground.path().to_owned(),
            seed: SEED,
            store,
            spoil: None,
            keep: Some(env!("CARGO_TARGET_TMPDIR").into()),
        };
        let ran = campaign.run(rounds, &mut tally, &mut |_| {});
        ran.unwrap_or_else(|why| panic!("{why}"));
    }
    assert_eq!(tally.rounds, of_logs + of_stores);
    assert!(tally.checked > 0, "{tally}");
}

// Every sync goes to a device here, so most rounds are made in memory.
#[test]
fn the_killed_lose_nothing_in_the_temporary_directory() {
    killed(FileSystem::Temporary, 12, 4);
}

#[test]
fn the_killed_lose_nothing_on_tmpfs() {
    killed(FileSystem::Tmpfs, 72, 20);
}

#[test]
fn the_killed_lose_nothing_on_ext4() {
    killed(FileSystem::Ext4, 72, 20);
}

#[test]
fn a_copy_of_the_disk_has_all_that_was_durable() {
    if ground(FileSystem::Ext4).is_none() {
        return;
    }
    let images = Images {
        program: program(),
        ground: std::env::temp_dir(),
        seed: SEED,
    };
    let mut tally = Tally::default();
    let ran = images.run(18, &mut tally, &mut |_| {});
    ran.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(tally.images, 18);
}
