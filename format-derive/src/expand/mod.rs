//! From a checked definition and its plan to code.

pub(crate) mod enumeration;
pub(crate) mod hygiene;

mod acts;
mod arbitrary;
mod checks;
mod describe;
mod encode;
mod fixed;
mod get;
mod inherent;
mod layout;
mod locate;
mod names;
mod needed;
mod open;
mod promises;
mod sums;
mod value;
mod view;

use proc_macro2::TokenStream;
use quote::quote;

use crate::check::Links;
use crate::model::{Definition, Door};
use crate::plan::Plan;
use names::Context;

/// Everything that a struct becomes.
pub(crate) fn definition(definition: &Definition, links: &Links, plan: &Plan) -> TokenStream {
    let cx = Context::new(definition, links, plan);
    let value = match definition.door {
        Door::Attribute => value::expand(&cx),
        Door::Derive => TokenStream::new(),
    };
    let parts = [
        layout::expand(&cx),
        view::expand(&cx),
        open::expand(&cx),
        fixed::expand(&cx),
        inherent::expand(&cx),
        promises::expand(&cx),
        encode::expand(&cx),
        arbitrary::expand(&cx),
    ];
    quote!(#value #(#parts)*)
}
