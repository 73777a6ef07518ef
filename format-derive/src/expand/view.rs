//! The view: references into the input and decoded options, with a getter a row.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, input_lifetime, unraw};
use crate::model::{Base, Role, Row};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let life = input_lifetime();
    let life_tokens = quote!(#life);
    let (view, vis, name) = (cx.view_name(), &cx.definition.vis, &cx.definition.name);
    let fields = cx.plan.pieces.iter().enumerate().map(|(index, piece)| {
        if piece.is_run {
            let (run, layout) = (cx.run(index), cx.layout_name(index));
            return quote!(#run: &#life #layout);
        }
        let row = piece.rows[0];
        let (variable, ty) = (cx.variable(row), held(cx, row, &life_tokens));
        quote!(#variable: #ty)
    });
    let getters = cx
        .rows()
        .map(|(index, row)| getter(cx, index, row, &life_tokens));
    let to_value = to_value(cx, &life_tokens);
    let debugged = cx
        .rows()
        .filter(|(_, row)| !row.role.is_computed())
        .map(|(_, row)| {
            let (text, getter) = (unraw(&row.name), &row.name);
            quote!(.field(#text, &self.#getter()))
        });
    let (text, doc) = (
        unraw(&view),
        format!("A validated look at the bytes of a [`{}`].", unraw(name)),
    );
    let krate = &cx.krate;
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis struct #view<#life> { #(#fields),* }

        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, dead_code)]
        impl<#life> #view<#life> {
            #(#getters)*
            #krate::__alloc! { #to_value }
        }

        #[automatically_derived]
        impl<#life> ::core::fmt::Debug for #view<#life> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#text) #(#debugged)* .finish()
            }
        }
    }
}

/// The type of a view's field for a variable row: text as its bytes.
fn held(cx: &Context<'_>, row: usize, life: &TokenStream) -> TokenStream {
    let ty = if cx.row(row).ty.base.is_text() {
        quote!(&#life [::core::primitive::u8])
    } else {
        cx.shown(row, life)
    };
    if cx.may_be_absent(row) {
        quote!(::core::option::Option<#ty>)
    } else {
        ty
    }
}

/// The view from the locals of a reader.
pub(super) fn build(cx: &Context<'_>) -> TokenStream {
    let view = cx.view_name();
    let fields = cx.plan.pieces.iter().enumerate().map(|(index, piece)| {
        if piece.is_run {
            cx.run(index)
        } else {
            cx.variable(piece.rows[0])
        }
    });
    quote!(#view { #(#fields),* })
}

fn getter(cx: &Context<'_>, index: usize, row: &Row, life: &TokenStream) -> TokenStream {
    if matches!(row.role, Role::Reserved | Role::Magic(_)) {
        return TokenStream::new();
    }
    let (name, doc) = (&row.name, cx.row_doc(index));
    let vis = if row.role.is_computed() {
        &cx.definition.vis
    } else {
        &row.vis
    };
    let mut ty = cx.shown(index, life);
    if cx.may_be_absent(index) {
        ty = quote!(::core::option::Option<#ty>);
    }
    let get = shown_value(cx, index);
    quote! {
        #[doc = #doc]
        #[inline]
        #[must_use]
        #vis fn #name(&self) -> #ty { #get }
    }
}

/// What the getter returns: text as text.
fn shown_value(cx: &Context<'_>, index: usize) -> TokenStream {
    let get = cx.get(index, Some(&quote!(self)));
    if cx.row(index).ty.base.is_text() {
        cx.as_text(index, &get)
    } else {
        get
    }
}

fn to_value(cx: &Context<'_>, life: &TokenStream) -> TokenStream {
    let krate = &cx.krate;
    let name = &cx.definition.name;
    let value = cx.value_type(life);
    let vis = &cx.definition.vis;
    let fields = cx
        .rows()
        .filter(|(_, row)| !row.role.is_computed())
        .map(|(_, row)| {
            let field = &row.name;
            let own = |shown: TokenStream| match &row.ty.base {
                Base::Array(_) => quote!(*#shown),
                Base::Bytes => quote!(#shown.to_vec()),
                Base::String => {
                    quote!(<#krate::__private::String as ::core::convert::From<&str>>::from(#shown))
                }
                Base::Seq(ty) => {
                    let ty = cx.relocate(ty, life);
                    quote!(#shown.iter().map(<#ty as #krate::format::Format>::value).collect())
                }
                Base::Path(_) if row.keys.bits.is_some() => shown,
                Base::Path(ty) => {
                    let ty = cx.relocate(ty, life);
                    quote!(<#ty as #krate::format::Format>::value(#shown))
                }
                _ => shown,
            };
            let value = if row.ty.optional {
                let inner = own(quote!(shown));
                quote!(self.#field().map(|shown| #inner))
            } else {
                own(quote!(self.#field()))
            };
            quote!(#field: #value)
        });
    quote! {
        /// The value that the bytes hold.
        #[must_use]
        #vis fn to_value(&self) -> #value { #name { #(#fields),* } }
    }
}
