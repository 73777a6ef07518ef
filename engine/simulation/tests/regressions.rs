//! Scripts that once found something find nothing any more.

use std::fs;
use std::path::Path;

use ondisk_simulation::command::replay;
use ondisk_simulation::shard::Script;

#[test]
fn no_script_finds_it_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "script")
        {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let script: Script = text
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Err(violation) = replay(&script) {
            panic!("{}: {violation}", path.display());
        }
        count += 1;
    }
    assert!(count > 0);
}
