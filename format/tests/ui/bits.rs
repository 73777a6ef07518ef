//! What the macro takes for granted and cannot see is asserted in constants.
#[derive(ondisk::Format, Clone, Copy, Debug)]
#[format(bits = 2)]
pub enum Two {
    A = 0,
    B = 4,
}

#[ondisk::format()]
#[derive(Debug)]
pub struct Header {
    #[format(word)]
    word: u8,
    #[format(bits = 0..=2)]
    pub two: Two,
    #[format(bits = 3..=5, max = 9)]
    pub limited: u8,
}

fn main() {}
