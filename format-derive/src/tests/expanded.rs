#[test]
fn show() {
    let path = std::env::var("SHOW").unwrap_or_default();
    if let Ok(text) = std::fs::read_to_string(path) {
        println!("{}", super::expand(&text));
    }
}
