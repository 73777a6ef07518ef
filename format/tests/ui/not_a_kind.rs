pub struct Entry {
    pub offset: u64,
}

#[ondisk::format()]
pub struct Entries {
    #[format(count(entries))]
    count: u16,
    pub entries: Vec<Entry>,
}

fn main() {}
