//! From a checked definition and its plan to code.

pub(crate) mod enumeration;
pub(crate) mod value;

mod arbitrary;
mod checks;
mod describe;
mod encode;
mod inherent;
mod layout;
mod locate;
mod names;
mod needed;
mod open;
mod sums;
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
    let layouts = layout::expand(&cx);
    let view = view::expand(&cx);
    let open = open::expand(&cx);
    let inherent = inherent::expand(&cx);
    let encode = encode::expand(&cx);
    let arbitrary = arbitrary::expand(&cx);
    quote!(#value #layouts #view #open #inherent #encode #arbitrary)
}
