//! The demonstration leaves what it is told to, and is the same each time.

use std::fs;

use crate::run::ondisk;

#[test]
fn a_directory_that_is_named_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    let said = ondisk(["demo"]).on(&path).run();
    assert_eq!((said.exit, said.err.as_str()), (0, ""), "{}", said.text());
    assert_eq!(ondisk(["verify"]).on(&path).run().exit, 0);
    let read = ondisk(["read"]).on(&path).run().text();
    assert!(
        read.starts_with("order 1") && read.lines().count() == 6,
        "{read}"
    );
    let again = ondisk(["demo"]).on(&path).run();
    assert!(
        again.exit == 2 && again.err.contains("not empty"),
        "{}",
        again.err
    );
    let other = folder.path().join("other");
    let other = ondisk(["demo"]).on(&other).run().text();
    assert_eq!(
        said.text().replace("kept\n", "\n"),
        other.replace("other\n", "\n")
    );
}

#[test]
fn a_temporary_directory_goes_unless_it_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let place: &'static str = Box::leak(folder.path().to_str().expect("text").to_owned().into());
    let count = || fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(ondisk(["demo"]).variable("TMPDIR", place).run().exit, 0);
    assert_eq!(count(), 0);
    let said = ondisk(["demo", "--keep"]).variable("TMPDIR", place).run();
    assert!(said.text().contains("is kept"), "{}", said.text());
    assert_eq!(count(), 1);
}
