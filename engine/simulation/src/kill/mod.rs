//! Processes that write a log and are killed at random moments, on the real file system.
