#[ondisk::format()]
pub struct Node {
    pub value: u8,
    #[format(count(children))]
    count: u8,
    pub children: Vec<Node>,
}

fn main() {}
