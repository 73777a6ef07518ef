#[derive(ondisk::Format)]
pub struct Header {
    #[format(magic = b"HEAD")]
    magic: [u8; 4],
    pub offset: u64,
}

fn main() {}
