#[ondisk::format()]
pub struct Header<T> {
    pub offset: T,
}

fn main() {
    let _ = Header { offset: 3 };
}
