//! Records as text or frames, on their way in and out.

mod base64;
mod input;
mod output;

pub(crate) use input::Splitter;
pub(crate) use output::Writer;
