//! The writer: what it computes, what it refuses, and the bytes.

mod rows;
mod sums;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, input_lifetime, local};
use crate::model::Base;

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let (value, version, out) = (local("value"), local("version"), local("out"));
    let lens = (0..cx.plan.pieces.len()).map(|piece| {
        let row = cx.plan.pieces[piece].rows[0];
        if cx.plan.pieces[piece].is_run {
            cx.least(piece)
        } else {
            cx.written_len(row)
        }
    });
    let life = input_lifetime();
    let body = if cx.plan.is_fixed() {
        let zerocopy = cx.zerocopy();
        quote! {
            let run = <Self as #krate::format::Fixed>::lay(#value, #version)?;
            #out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&run));
            ::core::result::Result::Ok(())
        }
    } else {
        let body = body(cx);
        let base = local("base");
        quote! {
            let #base = #out.len();
            let written = (|| -> ::core::result::Result<(), #krate::EncodeError> { #body })();
            if ::core::result::Result::is_err(&written) {
                #out.truncate(#base);
            }
            written
        }
    };
    quote! {
        #krate::__alloc! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, clippy::restriction, unused_variables)]
            impl #generics #krate::encode::Encode for #implementor {
                fn encoded_len_at(&self, #version: ::core::primitive::u32) -> ::core::primitive::usize {
                    let #value = self;
                    0 #(+ #lens)*
                }

                #[inline]
                fn encode_at(
                    &self,
                    #version: ::core::primitive::u32,
                    #out: &mut #krate::__private::Vec<::core::primitive::u8>,
                ) -> ::core::result::Result<(), #krate::EncodeError> {
                    let #value = self;
                    #body
                }

                fn rewrite<#life>(
                    view: <Self as #krate::format::Format>::View<#life>,
                    #version: ::core::primitive::u32,
                    #out: &mut #krate::__private::Vec<::core::primitive::u8>,
                ) -> ::core::result::Result<(), #krate::EncodeError> {
                    #krate::encode::Encode::encode_at(&view.to_value(), #version, #out)
                }
            }
        }
    }
}

/// Rows piece by piece into the buffer, then the checksums into their places.
fn body(cx: &Context<'_>) -> TokenStream {
    let zerocopy = cx.zerocopy();
    let (out, base, head) = (local("out"), local("base"), local("head"));
    let (value, version) = (local("value"), local("version"));
    // Lengths that are too large were refused by the rows that hold them, if those are in the head.
    let krate = &cx.krate;
    let reserve = quote!(#out.reserve(#krate::encode::Encode::encoded_len_at(#value, #version)););
    let early = cx.sums_in_head();
    let mut code = TokenStream::new();
    for (index, piece) in cx.plan.pieces.iter().enumerate() {
        let start = cx.start(index);
        code.extend(match index {
            0 => quote!(let #start = 0usize;),
            1 if cx.plan.has_head() => {
                let head = cx.least(0);
                quote!(let #start = #head;)
            }
            _ => quote!(let #start = #out.len() - #base;),
        });
        if piece.is_run {
            let laid = cx.lay_run(index);
            if index > 0 {
                code.extend(
                    quote!(#out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&#laid));),
                );
                continue;
            }
            let sums = early.iter().map(|&sum| cx.write_sum_in_run(sum, &early));
            code.extend(quote! {
                #[allow(unused_mut)]
                let mut #head = #laid;
                #(#sums)*
                #reserve
                #out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&#head));
            });
        } else {
            code.extend(cx.write_variable(piece.rows[0]));
        }
    }
    let end = cx.start(cx.plan.pieces.len());
    code.extend(quote!(let #end = #out.len() - #base;));
    let sums = cx.rows().filter(|(index, row)| {
        matches!(row.role, crate::model::Role::Checksum(..)) && !early.contains(index)
    });
    let mut earlier = early.clone();
    for (index, _) in sums {
        code.extend(cx.write_sum(index, &earlier));
        earlier.push(index);
    }
    let rules = obey_rules(cx, &quote!(#out.get(#base..).unwrap_or(&[])));
    quote! {
        #code
        #rules
        ::core::result::Result::Ok(())
    }
}

/// The reader's rules in code hold for what is written, too.
fn obey_rules(cx: &Context<'_>, bytes: &TokenStream) -> TokenStream {
    let krate = &cx.krate;
    let has_rules = !cx.definition.keys.checks.is_empty()
        || cx.rows().any(|(_, row)| !row.keys.checks.is_empty());
    if !has_rules {
        return TokenStream::new();
    }
    let version = local("version");
    quote! {
        if <Self as #krate::format::Format>::open::<(), { #krate::format::RULES }>(
            #bytes, 0, #krate::format::Cx { version: #version, closed: true, whole: true },
        ).is_err() {
            return ::core::result::Result::Err(#krate::format::explain_rules::<Self>(#bytes, #version));
        }
    }
}

/// `Fixed::lay`.
pub(super) fn lay(cx: &Context<'_>) -> TokenStream {
    let (krate, zerocopy) = (&cx.krate, cx.zerocopy());
    let (value, version, head, layout) = (
        local("value"),
        local("version"),
        local("head"),
        cx.layout_name(0),
    );
    let laid = cx.lay_run(0);
    let early = cx.sums_in_head();
    let sums: TokenStream = early
        .iter()
        .map(|&sum| cx.write_sum_in_run(sum, &early))
        .collect();
    let rules = obey_rules(cx, &quote!(#zerocopy::IntoBytes::as_bytes(&#head)));
    let life = input_lifetime();
    quote! {
        #[inline]
        fn lay<#life>(
            #value: &<Self as #krate::format::Format>::Value<#life>,
            #version: ::core::primitive::u32,
        ) -> ::core::result::Result<#layout, #krate::EncodeError> {
            #[allow(unused_mut)]
            let mut #head = #laid;
            #sums
            #rules
            ::core::result::Result::Ok(#head)
        }
    }
}

impl Context<'_> {
    /// A row of the value being written.
    pub(super) fn given(&self, index: usize) -> TokenStream {
        let (value, name) = (local("value"), &self.row(index).name);
        quote!(#value.#name)
    }

    /// `return Err(..)`: a row that cannot be written.
    pub(super) fn refuse(&self, index: usize, fault: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let number = self.number(index);
        quote! {
            return ::core::result::Result::Err(#krate::EncodeError::new(
                <Self as #krate::format::Format>::KIND, #number, #fault,
            ))
        }
    }

    /// The bytes that a variable row takes when it is written.
    pub(super) fn written_len(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let version = local("version");
        let inner = |given: TokenStream| match &row.ty.base {
            Base::Int(_) if row.keys.varint.is_some() => {
                let raw = self.varint_raw(index, &given);
                quote!(#krate::varint::len(#raw))
            }
            Base::Slice | Base::Bytes | Base::Str | Base::String => quote!(#given.len()),
            Base::Seq(_) => quote!({
                let mut sum = 0usize;
                for entry in &#given { sum += #krate::encode::Encode::encoded_len_at(entry, #version); }
                sum
            }),
            Base::Path(_) => quote!(#krate::encode::Encode::encoded_len_at(#given, #version)),
            _ => self.inner_size(index),
        };
        if row.role.is_computed() {
            let size = if row.keys.varint.is_some() {
                let written = self.computed_or_zero(index);
                inner(written)
            } else {
                self.inner_size(index)
            };
            let there = self.in_version(index, &quote!(#version));
            return quote!(if #there { #size } else { 0usize });
        }
        let given = self.given(index);
        let present = local("present");
        let by_reference = matches!(row.ty.base, Base::Path(_));
        match (row.ty.optional, row.keys.tag) {
            (false, _) if by_reference => inner(quote!((&#given))),
            (false, _) => inner(given),
            (true, Some(true)) => {
                let (there, size) = (
                    self.in_version(index, &quote!(#version)),
                    self.inner_size(index),
                );
                quote!(if #there { 1 + #size } else { 0usize })
            }
            (true, tag) => {
                let (tag, there) = (
                    usize::from(tag.is_some()),
                    self.in_version(index, &quote!(#version)),
                );
                let present_value = match &row.ty.base {
                    Base::Int(_) => quote!((*#present)),
                    Base::Seq(_) => quote!((*#present)),
                    _ => quote!(#present),
                };
                let size = inner(present_value);
                quote!(match &#given {
                    ::core::option::Option::Some(#present) => #tag + #size,
                    ::core::option::Option::None => if #there { #tag } else { 0usize },
                })
            }
        }
    }

    /// A varint's number, from its value.
    pub(super) fn varint_raw(&self, index: usize, given: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let Base::Int(int) = row.ty.base else {
            return quote!(0u64);
        };
        let bits = u32::from(int.bytes) * 8;
        match row.keys.varint {
            Some(crate::model::Varint::ZigZag) => {
                quote!(#krate::varint::zigzag(#given as ::core::primitive::i64, #bits))
            }
            _ => quote!((#given as ::core::primitive::u64)),
        }
    }
}
