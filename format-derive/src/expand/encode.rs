//! The writer: what it computes, what it refuses, and the bytes.

mod numbers;
mod rows;
mod sizes;
mod sums;
mod variable;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, quiet};
use crate::model::Role;

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let lens = (0..cx.plan.pieces.len()).map(|piece| {
        let row = cx.plan.pieces[piece].rows[0];
        if cx.plan.pieces[piece].is_run {
            cx.least(piece)
        } else {
            cx.written_len(row)
        }
    });
    let body = if cx.plan.is_fixed() {
        let zerocopy = cx.zerocopy();
        quote! {
            let __run = <Self as #krate::format::Fixed>::lay(__value, __version)?;
            __out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&__run));
            ::core::result::Result::Ok(())
        }
    } else {
        let body = body(cx);
        quote! {
            let __base = __out.len();
            let __written = (|| -> ::core::result::Result<(), #krate::EncodeError> { #body })();
            if ::core::result::Result::is_err(&__written) {
                __out.truncate(__base);
            }
            __written
        }
    };
    let quiet = quiet();
    quote! {
        #krate::__alloc! {
            #quiet
            impl #generics #krate::encode::Encode for #implementor {
                fn encoded_len_at(&self, __version: ::core::primitive::u32) -> ::core::primitive::usize {
                    let __value = self;
                    0 #(+ #lens)*
                }

                #[inline]
                fn encode_at(
                    &self,
                    __version: ::core::primitive::u32,
                    __out: &mut #krate::__private::Vec<::core::primitive::u8>,
                ) -> ::core::result::Result<(), #krate::EncodeError> {
                    let __value = self;
                    #body
                }

                fn rewrite<'__b>(
                    __view: <Self as #krate::format::Format>::View<'__b>,
                    __version: ::core::primitive::u32,
                    __out: &mut #krate::__private::Vec<::core::primitive::u8>,
                ) -> ::core::result::Result<(), #krate::EncodeError> {
                    #krate::encode::Encode::encode_at(&__view.to_value(), __version, __out)
                }
            }
        }
    }
}

/// Rows piece by piece into the buffer, then the checksums into their places.
fn body(cx: &Context<'_>) -> TokenStream {
    let (krate, zerocopy) = (&cx.krate, cx.zerocopy());
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
            _ => quote!(let #start = __out.len() - __base;),
        });
        if !piece.is_run {
            code.extend(cx.write_variable(piece.rows[0]));
            continue;
        }
        let laid = cx.lay_run(index);
        if index > 0 {
            code.extend(quote!(__out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&#laid));));
            continue;
        }
        let sums = early.iter().map(|&sum| cx.write_sum_in_run(sum, &early));
        // Lengths that are too large were refused by the rows that hold them, if those are in the head.
        code.extend(quote! {
            let mut __head = #laid;
            #(#sums)*
            __out.reserve(#krate::encode::Encode::encoded_len_at(__value, __version));
            __out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&__head));
        });
    }
    let end = cx.start(cx.plan.pieces.len());
    code.extend(quote!(let #end = __out.len() - __base;));
    let sums = cx
        .rows()
        .filter(|(index, row)| matches!(row.role, Role::Checksum(..)) && !early.contains(index));
    let mut earlier = early.clone();
    for (index, _) in sums {
        code.extend(cx.write_sum(index, &earlier));
        earlier.push(index);
    }
    let rules = obey_rules(cx, &quote!(__out.get(__base..).unwrap_or(&[])));
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
    quote! {
        if <Self as #krate::format::Format>::open::<(), { #krate::format::RULES }>(
            #bytes, 0, #krate::format::Cx { version: __version, closed: true, whole: true },
        ).is_err() {
            return ::core::result::Result::Err(#krate::format::explain_rules::<Self>(#bytes, __version));
        }
    }
}

/// `Fixed::lay`.
pub(super) fn lay(cx: &Context<'_>) -> TokenStream {
    let (krate, zerocopy, layout) = (&cx.krate, cx.zerocopy(), cx.layout_name(0));
    let laid = cx.lay_run(0);
    let early = cx.sums_in_head();
    let sums: TokenStream = early
        .iter()
        .map(|&sum| cx.write_sum_in_run(sum, &early))
        .collect();
    let rules = obey_rules(cx, &quote!(#zerocopy::IntoBytes::as_bytes(&__head)));
    quote! {
        #[inline]
        fn lay<'__b>(
            __value: &<Self as #krate::format::Format>::Value<'__b>,
            __version: ::core::primitive::u32,
        ) -> ::core::result::Result<#layout, #krate::EncodeError> {
            let mut __head = #laid;
            #sums
            #rules
            ::core::result::Result::Ok(__head)
        }
    }
}

impl Context<'_> {
    /// A row of the value being written.
    pub(super) fn given(&self, index: usize) -> TokenStream {
        let name = &self.row(index).name;
        quote!(__value.#name)
    }

    /// Says which row an enum stands in that cannot be written.
    pub(super) fn refused_in_row(&self, index: usize) -> TokenStream {
        let (krate, number) = (&self.krate, self.number(index));
        quote!(.map_err(|__error| {
            #krate::EncodeError::in_row(__error, <Self as #krate::format::Format>::KIND, #number)
        }))
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
}
