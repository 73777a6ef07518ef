//! Running the tool, under a watchdog: whatever it is given, it answers.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than any answer takes, on a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the tool said.
pub(crate) struct Said {
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
    pub(crate) exit: i32,
}

impl Said {
    /// The output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out.clone()).expect("the output is UTF-8")
    }

    /// The output as one JSON document.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.err, self.text()))
    }
}

/// A run to be.
pub(crate) struct Tool {
    args: Vec<String>,
    memory_kib: Option<u64>,
    directory: Option<PathBuf>,
    variables: Vec<(&'static str, &'static str)>,
    user: Option<u32>,
    input: Vec<u8>,
}

/// The tool with these arguments.
pub(crate) fn ondisk<'a>(args: impl IntoIterator<Item = &'a str>) -> Tool {
    Tool {
        args: args.into_iter().map(str::to_owned).collect(),
        memory_kib: None,
        directory: None,
        variables: Vec::new(),
        user: None,
        input: Vec::new(),
    }
}

impl Tool {
    /// One more argument.
    pub(crate) fn on(mut self, path: impl AsRef<Path>) -> Self {
        self.args.push(
            path.as_ref()
                .to_str()
                .expect("a path of these tests is text")
                .to_owned(),
        );
        self
    }

    /// More arguments.
    pub(crate) fn with<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Self {
        self.args.extend(args.into_iter().map(str::to_owned));
        self
    }

    /// In 256 MiB of address space.
    pub(crate) fn in_little_memory(self) -> Self {
        Self {
            memory_kib: Some(262_144),
            ..self
        }
    }

    /// Started in that directory.
    pub(crate) fn from(self, directory: &Path) -> Self {
        Self {
            directory: Some(directory.to_owned()),
            ..self
        }
    }

    /// With that variable set.
    pub(crate) fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    /// As that user.
    pub(crate) fn by_user(self, user: u32) -> Self {
        Self {
            user: Some(user),
            ..self
        }
    }

    /// With these bytes on its standard input.
    pub(crate) fn fed(self, input: impl Into<Vec<u8>>) -> Self {
        Self {
            input: input.into(),
            ..self
        }
    }

    /// Whether it can be started at all, as another user for one.
    pub(crate) fn starts(self) -> bool {
        let output = self.command().output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Said {
        let folder = tempfile::tempdir().expect("a folder for the output");
        let (out, err) = (folder.path().join("out"), folder.path().join("err"));
        let file = |path: &Path| Stdio::from(File::create(path).expect("a file for the output"));
        let mut command = self.command();
        let input = match self.input.as_slice() {
            [] => Stdio::null(),
            bytes => {
                let path = folder.path().join("in");
                fs::write(&path, bytes).expect("a file for the input");
                Stdio::from(File::open(path).expect("the input"))
            }
        };
        let mut child = command
            .stdin(input)
            .stdout(file(&out))
            .stderr(file(&err))
            .spawn()
            .expect("the tool starts");
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("the tool can be waited for") {
                break status;
            }
            if begin.elapsed() > PATIENCE {
                child.kill().expect("the tool can be ended");
                panic!(
                    "no answer within {PATIENCE:?}: ondisk {}",
                    self.args.join(" ")
                );
            }
            thread::sleep(Duration::from_millis(2));
        };
        let err =
            String::from_utf8_lossy(&fs::read(err).expect("what it complained of")).into_owned();
        let exit = status
            .code()
            .unwrap_or_else(|| panic!("ended by {status}: ondisk {}\n{err}", self.args.join(" ")));
        assert!(
            !err.contains("panicked"),
            "ondisk {}\n{err}",
            self.args.join(" ")
        );
        Said {
            out: fs::read(out).expect("what it said"),
            err,
            exit,
        }
    }

    fn command(&self) -> Command {
        let tool = env!("CARGO_BIN_EXE_ondisk");
        let mut command = match self.memory_kib {
            Some(kib) => {
                let mut shell = Command::new("sh");
                shell.args([
                    "-c",
                    &format!("ulimit -v {kib} && exec \"$0\" \"$@\""),
                    tool,
                ]);
                shell
            }
            None => Command::new(tool),
        };
        command
            .args(&self.args)
            .env_remove("NO_COLOR")
            .envs(self.variables.iter().copied());
        if let Some(user) = self.user {
            command.uid(user);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}
