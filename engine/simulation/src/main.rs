//! `ondisk-simulation`: explores crashes for as long as is wanted.

fn main() {}
