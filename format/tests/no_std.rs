//! Definitions need neither the standard library nor an allocator: a program without them is built by the compiler that
//! runs this test, from what its workspace has downloaded.

use std::path::Path;
use std::process::Command;

/// Builds the program in `no_std` with these arguments.
#[track_caller]
fn build(arguments: &[&str]) {
    let format = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = format.join("tests/no_std");
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std");
    std::fs::create_dir_all(place.join("src")).unwrap();
    let manifest = std::fs::read_to_string(source.join("Cargo.toml.in")).unwrap();
    let manifest = manifest.replace("ONDISK", format.to_str().unwrap());
    std::fs::write(place.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(source.join("src/lib.rs"), place.join("src/lib.rs")).unwrap();
    // The same versions as everything else.
    if let Ok(lock) = std::fs::read(format.join("../Cargo.lock")) {
        std::fs::write(place.join("Cargo.lock"), lock).unwrap();
    }
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "--offline", "--quiet"])
        .args(arguments)
        .current_dir(&place)
        .env("CARGO_TARGET_DIR", place.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
}

#[test]
fn without_std_and_without_an_allocator() {
    build(&["--crate-type", "staticlib"]);
    // Those who bring an allocator may write, and own what they read.
    build(&["--crate-type", "rlib", "--features", "alloc"]);
}
