//! Kinds that cannot stand in others.
#[ondisk::format(reads = 1..=2)]
pub struct Versions {
    #[format(version)]
    version: u8,
}

#[ondisk::format()]
pub struct Rest {
    pub a: u8,
    pub rest: Vec<u8>,
}

#[ondisk::format()]
pub struct Outer {
    pub versions: Versions,
    #[format(nested)]
    pub rest: Rest,
    #[format(count(rests))]
    count: u8,
    pub rests: Vec<Rest>,
}

fn main() {}
