//! The picture in the README is what the tool prints.

use std::path::Path;
use std::process::Command;

#[test]
fn the_picture_is_what_the_tool_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, picture) = readme.split_once("```text\n$ ondisk ").unwrap();
    let (picture, _) = picture.split_once("\n```").unwrap();
    let (arguments, picture) = picture.split_once('\n').unwrap();

    let output = Command::new(env!("CARGO_BIN_EXE_ondisk"))
        .args(arguments.split(' '))
        .current_dir(&root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with(picture),
        "the README shows\n{picture}\n\nthe tool prints\n{printed}"
    );
    assert_eq!(output.status.code(), Some(1), "damage was found");
}
