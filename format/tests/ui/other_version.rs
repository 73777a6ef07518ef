#[ondisk::format(reads = 1..=2)]
pub struct Mine {
    #[format(version)]
    version: u8,
    pub entry: Entry,
}

#[ondisk::format(reads = 5..=6)]
pub struct Other {
    #[format(version)]
    version: u8,
}

#[derive(ondisk::Format)]
#[format(version_of = Other)]
pub struct Entry {
    pub offset: u64,
}

fn main() {}
