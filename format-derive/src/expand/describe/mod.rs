//! The description: what the definition says, as a constant.

mod row;
mod steps;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, unraw};
use crate::model::{Algorithm, Class};

/// `&Kind { .. }`.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let definition = cx.definition;
    let keys = &definition.keys;
    let (name, doc) = (unraw(&definition.name), &definition.doc);
    let (file, head_of) = (
        option_text(keys.file.as_ref()),
        option_text(keys.head_of.as_ref()),
    );
    let whole = keys.is_whole();
    let class = match keys.class {
        None => quote!(::core::option::Option::None),
        Some(Class::Authoritative) => {
            quote!(::core::option::Option::Some(#describe::Class::Authoritative))
        }
        Some(Class::Derived) => quote!(::core::option::Option::Some(#describe::Class::Derived)),
    };
    let endian = endian(krate, keys.le);
    let trailing = if keys.trailing_ignore {
        quote!(Ignore)
    } else {
        quote!(Refuse)
    };
    let canonical = keys.canonical;
    let (versions, version_of) = (versions(cx), version_of(cx));
    let rows = cx.rows().map(|(index, row)| row::expand(cx, index, row));
    let steps = steps::expand(cx);
    quote! {
        &#krate::Kind {
            name: #name,
            module: ::core::module_path!(),
            doc: #doc,
            shape: #describe::Shape::Rows(&[#(#rows),*]),
            file: #file,
            head_of: #head_of,
            whole: #whole,
            class: #class,
            endian: #endian,
            versions: #versions,
            version_of: #version_of,
            trailing: #describe::Trailing::#trailing,
            canonical: #canonical,
            size: <Self as #krate::format::Format>::SIZE,
            min: <Self as #krate::format::Format>::MIN,
            steps: &[#(#steps),*],
        }
    }
}

fn option_text(text: Option<&String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

fn endian(krate: &TokenStream, le: bool) -> TokenStream {
    if le {
        quote!(#krate::describe::Endian::Little)
    } else {
        quote!(#krate::describe::Endian::Big)
    }
}

fn versions(cx: &Context<'_>) -> TokenStream {
    let keys = &cx.definition.keys;
    let describe = {
        let krate = &cx.krate;
        quote!(#krate::describe)
    };
    let Some((min, max)) = keys.reads else {
        return quote!(::core::option::Option::None);
    };
    let (writes, adopt) = (keys.writes.unwrap_or(max), keys.adopt);
    let gates = keys
        .gates
        .iter()
        .map(|(version, feature)| quote!(#describe::Gate { version: #version, feature: #feature }));
    quote! {
        ::core::option::Option::Some(#describe::Versions {
            min: #min, max: #max, writes: #writes, adopt: #adopt, gates: &[#(#gates),*],
        })
    }
}

fn version_of(cx: &Context<'_>) -> TokenStream {
    match &cx.definition.keys.version_of {
        Some(of) => {
            let kind = cx.of_kind(of, "KIND");
            quote!(::core::option::Option::Some(|| #kind))
        }
        None => quote!(::core::option::Option::None),
    }
}

/// What a rule in code is called: the last segment of its path, in words.
fn rule_name(path: &TokenStream) -> String {
    let path = path.to_string().replace(' ', "");
    path.rsplit("::").next().unwrap_or(&path).replace('_', " ")
}

fn algorithm_of(krate: &TokenStream, algorithm: Algorithm) -> TokenStream {
    match algorithm {
        Algorithm::Crc32 => quote!(#krate::checksum::Algorithm::Crc32),
        Algorithm::Crc32c => quote!(#krate::checksum::Algorithm::Crc32c),
        Algorithm::Crc64 => quote!(#krate::checksum::Algorithm::Crc64),
    }
}
