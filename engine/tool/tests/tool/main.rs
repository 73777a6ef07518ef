//! The tool as its users run it: arguments in, text and exit code out.

mod copies;
mod demo;
mod directories;
mod fixtures;
mod hostile;
mod records;
mod repair;
mod run;
mod screen;
mod streams;
mod untouched;
mod usage;
mod words;
