//! What is counted, and what is over when the power is.

use std::io;

use ondisk_engine::disk::simulated::{Fault, Model};

use super::acts::{ACTS, prepared};
use crate::kind;

#[test]
fn behind_a_power_cut_every_call_fails() {
    let disk = prepared();
    let before = disk.fingerprint();
    disk.arm(Some(Fault::PowerCut {
        at: disk.operations(),
    }));
    for (name, act) in ACTS {
        let error = act(&*disk.root()).expect_err(name);
        assert_eq!(error.raw_os_error(), None, "{name}");
    }
    assert_eq!(disk.fingerprint(), before);
    let operations = disk.operations();
    let after = disk.after(Model::PowerCut, 0);
    for (_, act) in ACTS {
        let _any = act(&*after.root());
    }
    assert_eq!(disk.operations(), operations, "another disk");
}

#[test]
fn operations_are_counted_when_they_change_or_sync() {
    for (name, act) in ACTS {
        let disk = prepared();
        let (operations, calls) = (disk.operations(), disk.calls());
        act(&*disk.root()).expect("no fault");
        let looks = [
            "open",
            "edit",
            "open directory",
            "list",
            "stat",
            "lock",
            "read",
            "owner",
        ];
        let expected = u64::from(!looks.contains(&name));
        assert_eq!(disk.operations() - operations, expected, "{name}");
        assert!(disk.calls() > calls, "{name}");
    }
    let disk = prepared();
    let (operations, calls) = (disk.operations(), disk.calls());
    let taken = disk.root().create("file");
    assert_eq!(kind(taken), io::ErrorKind::AlreadyExists);
    assert_eq!(disk.operations(), operations, "it did nothing");
    assert_eq!(disk.calls(), calls + 1);
}
