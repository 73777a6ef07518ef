//! The picture in the README is what the tool prints, but for the path of a temporary directory.

use std::path::Path;
use std::process::Command;

#[test]
fn the_picture_is_what_the_tool_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, picture) = readme.split_once("```text\n$ ondisk ").unwrap();
    let (picture, _) = picture.split_once("```").unwrap();
    let (arguments, picture) = picture.split_once('\n').unwrap();

    let output = Command::new(env!("CARGO_BIN_EXE_ondisk"))
        .args(arguments.split(' '))
        .current_dir(&root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let path = |text: &str| {
        let first = text.lines().next().unwrap();
        first.strip_prefix("A log in ").unwrap().to_owned()
    };
    let printed = printed.replace(&path(&printed), &path(picture));
    assert_eq!(picture, printed, "the README and the tool");
    assert_eq!(output.status.code(), Some(0));
    assert!(picture.lines().count() <= 40, "one screenful");
    assert!(
        picture.lines().all(|line| line.chars().count() <= 100),
        "of a hundred columns"
    );
}
