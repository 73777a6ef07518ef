//! The macros of ondisk.
use proc_macro::TokenStream;
/// Derive.
#[proc_macro_derive(Format, attributes(format))]
pub fn derive(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
/// Attribute.
#[proc_macro_attribute]
pub fn format(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
