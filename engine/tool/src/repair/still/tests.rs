//! What another process does between two steps ends a repair.

use std::sync::Arc;

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::{Directory, Replace, write_all_at};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::recovery::Step;

use super::{SMALL, Still, is_disturbed};

fn directory() -> (Arc<MemoryDirectory>, Arc<dyn Directory>) {
    let directory = Arc::new(MemoryDirectory::new("/shard"));
    for id in 0..3 {
        directory.put(&log(id), MemoryFile::of(&[7; 100]));
    }
    directory.put("replica", MemoryFile::of(&[1; 28]));
    (Arc::clone(&directory), directory)
}

fn log(id: u64) -> String {
    SegmentFile::Log { id }.to_string()
}

const SAVE: Step = Step::Save {
    segment: 2,
    from: 60,
    bytes: 40,
    to: SegmentFile::Cut { id: 2, number: 60 },
};
const CUT: Step = Step::Cut {
    segment: 2,
    position: 60,
};

/// What a step does, as the engine does it.
fn act(directory: &dyn Directory, step: &Step) {
    match *step {
        Step::Save { bytes, to, .. } => {
            let file = directory.create(&to.to_string()).unwrap();
            file.set_len(bytes).unwrap();
        }
        Step::Cut { segment, position } => {
            let file = directory.edit(&log(segment)).unwrap();
            file.set_len(position).unwrap();
        }
        Step::Rename { from, to } => directory
            .rename(&from.to_string(), directory, &to.to_string(), Replace::No)
            .unwrap(),
        Step::Unlink { file } => directory.unlink(&file.to_string()).unwrap(),
        _ => {}
    }
}

/// Whether something ended because it was disturbed.
fn disturbed(result: Result<(), StorageError>) -> bool {
    match result {
        Ok(()) => false,
        Err(StorageError::Io { source, .. }) => {
            assert!(is_disturbed(&source), "{source}");
            true
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn its_own_steps_do_not_disturb_it() {
    let (_, directory) = directory();
    let mut still = Still::look(&directory).unwrap();
    let steps = [
        SAVE,
        CUT,
        Step::Rename {
            from: SegmentFile::Log { id: 1 },
            to: SegmentFile::Cut { id: 1, number: 0 },
        },
        Step::Unlink {
            file: SegmentFile::Log { id: 0 },
        },
        Step::SyncDirectory,
    ];
    for step in &steps {
        still.before(step).unwrap();
        act(&*directory, step);
    }
    still.end().unwrap();
}

type Change = fn(&MemoryDirectory);

#[test]
fn whatever_else_happens_does() {
    let changes: [(&str, Change); 6] = [
        ("a segment grows", |directory| {
            let file = directory.edit(&log(0)).unwrap();
            write_all_at(&*file, b"more", 100).unwrap();
        }),
        ("a segment is written to", |directory| {
            let file = directory.edit(&log(1)).unwrap();
            write_all_at(&*file, b"other", 50).unwrap();
        }),
        ("a segment is replaced by one as long", |directory| {
            directory.remove(&log(0));
            directory.put(&log(0), MemoryFile::of(&[7; 100]));
        }),
        ("a segment goes", |directory| directory.remove(&log(0))),
        ("a file comes", |directory| {
            directory.put("notes.txt", MemoryFile::of(b""));
        }),
        ("a sidecar is replaced", |directory| {
            directory.remove("replica");
            directory.put("replica", MemoryFile::of(&[2; 28]));
        }),
    ];
    for (name, change) in changes {
        let (memory, directory) = directory();
        let mut still = Still::look(&directory).unwrap();
        still.before(&SAVE).unwrap();
        act(&*directory, &SAVE);
        change(&memory);
        assert!(disturbed(still.before(&CUT)), "{name}, before a step");
        let (memory, directory) = self::directory();
        let mut still = Still::look(&directory).unwrap();
        still.before(&SAVE).unwrap();
        act(&*directory, &SAVE);
        still.before(&CUT).unwrap();
        act(&*directory, &CUT);
        change(&memory);
        assert!(disturbed(still.end()), "{name}, at the end");
    }
}

/// A step that was not done, or done to another file, is seen as well.
#[test]
fn a_step_that_did_something_else() {
    let (memory, directory) = directory();
    let mut still = Still::look(&directory).unwrap();
    still.before(&CUT).unwrap();
    assert!(disturbed(still.end()), "nothing was cut");
    let mut still = Still::look(&directory).unwrap();
    still.before(&CUT).unwrap();
    memory.remove(&log(2));
    memory.put(&log(2), MemoryFile::of(&[7; 50]));
    assert!(disturbed(still.end()), "it was cut elsewhere");
}

/// The engine cuts a segment in its place, or puts what is kept there in a file of its own.
#[test]
fn a_cut_by_another_file() {
    let (memory, directory) = directory();
    let mut still = Still::look(&directory).unwrap();
    still.before(&CUT).unwrap();
    memory.remove(&log(2));
    memory.put(&log(2), MemoryFile::of(&[7; 60]));
    assert!(!disturbed(still.end()));
}

/// In a large directory a step looks at its own file each time, and at all of them now and then.
#[test]
fn large_directories() {
    let (memory, directory) = directory();
    for number in 0..SMALL {
        memory.put(&format!("note-{number}"), MemoryFile::of(b""));
    }
    let mut still = Still::look(&directory).unwrap();
    still.before(&Step::SyncDirectory).unwrap();
    let file = directory.edit(&log(2)).unwrap();
    write_all_at(&*file, b"more", 100).unwrap();
    assert!(disturbed(still.before(&SAVE)), "its own file");

    let mut still = Still::look(&directory).unwrap();
    still.before(&Step::SyncDirectory).unwrap();
    memory.put("note-7", MemoryFile::of(b"other"));
    let steps = (0..SMALL).map(|_| still.before(&Step::WriteIndex { segment: 0 }));
    assert!(steps.take(20).any(disturbed), "another one, soon");
}
