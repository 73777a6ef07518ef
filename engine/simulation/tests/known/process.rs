//! A second process: this test program again, at one of its tests.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

/// Tells the other process that it is one, and where.
const PLACE: &str = "ONDISK_KNOWN_PLACE";

/// Another process, at work in a directory.
pub struct Other {
    child: Child,
    says: BufReader<ChildStdout>,
}

impl Other {
    /// Starts the test of this name in a process of its own.
    pub fn start(test: &str, place: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args([test, "--exact", "--ignored", "--nocapture"])
            .env(PLACE, place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let says = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, says }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has said this.
    pub fn has_said(&mut self, word: &str) {
        let mut lines = self.says.by_ref().lines().map_while(Result::ok);
        assert!(lines.any(|line| line == word), "it never said {word}");
    }

    /// Lets it go on.
    pub fn goes_on(&mut self) {
        let mut stdin = self.child.stdin.as_ref().expect("piped");
        stdin.write_all(b"on\n").expect("it listens");
    }

    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Waits until it ends.
    pub fn end(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }
}

/// Where this process is to work, if it is such a one.
pub fn place() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

/// Says a word to the process that started this one.
pub fn say(word: &str) {
    let mut stdout = io::stdout();
    // The test harness has begun a line.
    write!(stdout, "\n{word}\n").expect("a pipe");
    stdout.flush().expect("a pipe");
}

/// Waits until this process may go on.
pub fn wait() {
    io::stdin().read_line(&mut String::new()).expect("a pipe");
}
