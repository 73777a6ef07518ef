#[ondisk::format()]
pub struct Name {
    #[format(len(text))]
    len: u8,
    pub text: String,
}

#[derive(ondisk::Format)]
pub struct Person {
    pub name: Name,
}

fn main() {}
