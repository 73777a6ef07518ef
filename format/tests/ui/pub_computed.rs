#[ondisk::format()]
pub struct Header {
    pub offset: u64,
    #[format(crc32(..crc))]
    pub crc: u32,
}

fn main() {}
