//! A disk that tells a test of every operation ahead of doing it, and does what the test says.

use std::io;
use std::sync::{Arc, RwLock};

use ondisk_engine::disk::Directory;
pub use ondisk_engine::disk::hooked::Call;
use ondisk_engine::disk::hooked::{HookedDirectory, Verdict};

type Hook = Box<dyn Fn(Call, &str) -> io::Result<()> + Send + Sync>;

/// What is asked ahead of every operation.
#[derive(Default)]
pub struct Hooks(RwLock<Option<Arc<Hook>>>);

impl Hooks {
    /// From now on `hook` is asked, with the operation and the name of the file.
    pub fn set(&self, hook: impl Fn(Call, &str) -> io::Result<()> + Send + Sync + 'static) {
        *self.0.write().expect("no panic") = Some(Arc::new(Box::new(hook)));
    }

    fn ask(&self, call: Call, name: &str) -> Verdict {
        let hook = self.0.read().expect("no panic").clone();
        match hook.map_or(Ok(()), |hook| hook(call, name)) {
            Ok(()) => Verdict::Go,
            Err(error) => Verdict::Fail(error),
        }
    }
}

/// The same directory, and the hooks that are asked about it.
pub fn told(inner: Arc<dyn Directory>) -> (Arc<dyn Directory>, Arc<Hooks>) {
    let hooks = Arc::new(Hooks::default());
    let asked = Arc::clone(&hooks);
    let directory = HookedDirectory::over(inner, move |call, name| asked.ask(call, name));
    (directory, hooks)
}
