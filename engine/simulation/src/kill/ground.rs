//! The file systems that a campaign runs on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A kind of file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// Whatever the temporary directory is on.
    Temporary,
    /// A small file system in memory.
    Tmpfs,
    /// A small one with a journal, in a file that a loop device makes a disk of. The file is in memory, so that a sync costs
    /// little and more kills fit into a minute.
    Ext4,
}

impl FileSystem {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Temporary, Self::Tmpfs, Self::Ext4];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Temporary => "the temporary directory",
            Self::Tmpfs => "tmpfs",
            Self::Ext4 => "ext4",
        }
    }
}

/// A tmpfs that most systems have for everybody.
const SHARED_MEMORY: &str = "/dev/shm";

/// A place on a file system. What was mounted for it is unmounted when this goes.
#[derive(Debug)]
pub struct Ground {
    path: PathBuf,
    /// Unmounted from the front on.
    mounts: Vec<Mount>,
    /// Goes last.
    _below: TempDir,
}

/// Size of the file that is a disk.
const DISK_BYTES: u64 = 48 << 20;

impl Ground {
    /// A new one.
    ///
    /// # Errors
    /// Why there can be none: as a rule that mounting is for root.
    pub fn new(file_system: FileSystem, below: &Path) -> Result<Self, String> {
        let below = tempfile::Builder::new()
            .prefix("ondisk-ground-")
            .tempdir_in(below);
        let below = below.map_err(|error| error.to_string())?;
        let mut ground = Self {
            path: below.path().to_owned(),
            mounts: Vec::new(),
            _below: below,
        };
        if file_system == FileSystem::Temporary {
            return Ok(ground);
        }
        let memory = ground.path.join("memory");
        let options = ["-t", "tmpfs", "-o", "size=192m", "tmpfs"];
        match Mount::new(&options, &memory) {
            Ok(mount) => ground.mounts.push(mount),
            Err(_) if file_system == FileSystem::Tmpfs && is_tmpfs(SHARED_MEMORY) => {
                return Self::new(FileSystem::Temporary, Path::new(SHARED_MEMORY));
            }
            Err(why) => return Err(why),
        }
        ground.path = memory;
        if file_system == FileSystem::Ext4 {
            let image = ground.image();
            make_ext4(&image)?;
            let disk = ground.path.join("disk");
            ground.mounts.insert(0, Mount::of_image(&image, &disk)?);
            ground.path = disk;
        }
        Ok(ground)
    }

    /// Its directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is the disk of [`FileSystem::Ext4`], in the directory above.
    #[must_use]
    pub fn image(&self) -> PathBuf {
        self.memory().join("disk.image")
    }

    /// The file system in memory that the disk is on.
    #[must_use]
    pub fn memory(&self) -> &Path {
        self.mounts.last().map_or(&self.path, |mount| &mount.at)
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.mounts.drain(..).for_each(drop);
    }
}

/// A file system that is mounted. Unmounted when this goes; a loop device goes with its last mount.
#[derive(Debug)]
pub struct Mount {
    at: PathBuf,
}

impl Mount {
    /// Mounts what `options` say at `at`, which is created.
    ///
    /// # Errors
    /// What `mount` says.
    pub fn new(options: &[&str], at: &Path) -> Result<Self, String> {
        fs::create_dir_all(at).map_err(|error| error.to_string())?;
        run(Command::new("mount").args(options).arg(at))?;
        Ok(Self { at: at.to_owned() })
    }

    /// Mounts the file system in a file.
    ///
    /// # Errors
    /// What `mount` or `losetup` says.
    pub fn of_image(image: &Path, at: &Path) -> Result<Self, String> {
        // Not by `mount -o loop`, which takes a device that has the file already: one on its way out may have an older
        // file of the same inode, and its pages.
        let device = run(Command::new("losetup")
            .args(["--find", "--show"])
            .arg(image))?;
        let mounted = Self::new(&["-t", "ext4", device.trim()], at);
        // From now on it goes when it is unmounted, or at once if it is not mounted.
        run(Command::new("losetup").args(["--detach", device.trim()]))?;
        mounted
    }

    /// The device that is mounted.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn device(at: &Path) -> Result<String, String> {
        let line = mounted(at).ok_or("it is not mounted")?;
        let device = line
            .split(' ')
            .next()
            .and_then(|path| path.strip_prefix("/dev/"));
        Ok(device.ok_or("it has no device")?.to_owned())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if run(Command::new("umount").arg(&self.at)).is_err() {
            // Somebody looks into it: it goes when they do.
            let _lazily = run(Command::new("umount").arg("-l").arg(&self.at));
        }
    }
}

/// What the system says of the mount at a path.
fn mounted(at: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mut lines = mounts.lines();
    let line = lines.rfind(|line| line.split(' ').nth(1).map(Path::new) == Some(at))?;
    Some(line.to_owned())
}

fn is_tmpfs(at: &str) -> bool {
    let line = mounted(Path::new(at));
    line.is_some_and(|line| line.split(' ').nth(2) == Some("tmpfs"))
}

/// Makes a file a disk with an empty file system, with nothing left to be done in the background.
fn make_ext4(image: &Path) -> Result<(), String> {
    fs::File::create(image)
        .and_then(|file| file.set_len(DISK_BYTES))
        .map_err(|error| error.to_string())?;
    let at_once = "lazy_itable_init=0,lazy_journal_init=0";
    let arguments = ["-q", "-F", "-m", "0", "-E", at_once];
    run(Command::new("mkfs.ext4").args(arguments).arg(image)).map(drop)
}

/// Runs a program of the system. Returns what it prints.
pub(super) fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
