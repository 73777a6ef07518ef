//! Mistakes in a definition and what is said of them.
