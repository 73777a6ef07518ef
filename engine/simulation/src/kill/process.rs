//! A writer, seen from its parent.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionread, retry_on_intr};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::said::Line;
use super::writer::WriterArguments;

/// A writer that runs. When this goes, the writer is killed and waited for.
#[derive(Debug)]
pub struct Process {
    child: Child,
    says: ChildStdout,
    /// What was read of the pipe and is no line yet.
    read: Vec<u8>,
}

/// How long a single call may take at most. Nothing but a writer that hangs comes near it.
const PATIENCE: Timespec = Timespec {
    tv_sec: 300,
    tv_nsec: 0,
};

impl Process {
    /// Starts a writer.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Path, arguments: &WriterArguments) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg("kill-writer")
            .args(arguments.to_words())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let says = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self {
            child,
            says,
            read: Vec::new(),
        })
    }

    /// The next line, once there is one; none when the writer is gone and has said no more.
    ///
    /// # Errors
    /// A line that says nothing.
    pub fn line(&mut self) -> Result<Option<Line>, String> {
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return String::from_utf8_lossy(&line).parse().map(Some);
            }
            self.wait_for_a_word()?;
            let mut piece = [0; 4096];
            match self
                .says
                .read(&mut piece)
                .map_err(|error| error.to_string())?
            {
                0 if self.read.is_empty() => return Ok(None),
                // A write of less than `PIPE_BUF` is whole or is not.
                0 => return Err("half a line".to_owned()),
                read => self.read.extend_from_slice(&piece[..read]),
            }
        }
    }

    /// Waits until there is something to read, or the writer is gone.
    fn wait_for_a_word(&self) -> Result<(), String> {
        let mut pipe = [PollFd::new(&self.says, PollFlags::IN)];
        match retry_on_intr(|| poll(&mut pipe, Some(&PATIENCE))) {
            Ok(0) => Err("the writer is silent, and stuck as it seems".to_owned()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The next line, if it was said already.
    ///
    /// # Errors
    /// A line that says nothing.
    pub fn line_said(&mut self) -> Result<Option<Line>, String> {
        let waiting = ioctl_fionread(&self.says).map_err(|error| error.to_string())?;
        if waiting == 0 && self.read.is_empty() {
            return Ok(None);
        }
        self.line()
    }

    /// Kills it, and waits until it is gone with all that it held. Whether that ended it: it had not ended before.
    ///
    /// # Errors
    /// What the system says.
    pub fn kill(&mut self) -> io::Result<bool> {
        self.child.kill()?;
        let status = self.child.wait()?;
        Ok(status.code().is_none())
    }

    /// Stops it, and waits until no thread of it runs.
    ///
    /// # Errors
    /// What the system says; that it has ended.
    pub fn stop(&self) -> io::Result<()> {
        let pid = self.pid()?;
        kill_process(pid, Signal::STOP)?;
        // Left to be waited for if it has ended.
        let states = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), states)? {
            Some(status) if status.stopped() => Ok(()),
            _ => Err(io::Error::other("the writer ended")),
        }
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// What the system says.
    pub fn go_on(&self) -> io::Result<()> {
        Ok(kill_process(self.pid()?, Signal::CONT)?)
    }

    fn pid(&self) -> io::Result<Pid> {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        id.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}
