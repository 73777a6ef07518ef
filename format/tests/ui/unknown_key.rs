#[ondisk::format(version = 3)]
pub struct Header {
    #[format(crc16(..))]
    pub offset: u64,
}

fn main() {
    // The item is still there, so nothing else is wrong.
    let _ = Header { offset: 3 };
}
