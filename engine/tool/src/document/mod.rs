//! What was found, as JSON: the field names that scripts compare by.

mod block;
mod content;
mod damage;
mod files;
mod hash;
mod repairs;
mod root;
mod state;

pub(crate) use block::{block, head, kind_name};
pub(crate) use content::{content, holds, record};
pub(crate) use damage::failure;
pub(crate) use files::files;
pub(crate) use root::{hex, identity, markers};
pub(crate) use state::{keys_in_words, state};
