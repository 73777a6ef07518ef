//! A derive above the attribute sees the rows, and not the value.
#[derive(Clone, Debug)]
#[ondisk::format(reads = 1..=1)]
pub struct Header {
    #[format(version)]
    version: u16,
    pub offset: u64,
}

fn main() {}
