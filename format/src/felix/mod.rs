//! The kinds of Felix durable storage.

// pub mod name;
