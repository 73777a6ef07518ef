#[ondisk::format()]
pub struct Header {
    pub offset: u64,
    #[cfg(unix)]
    pub more: u64,
}

fn main() {}
