//! The view: references into the input and decoded options, with a getter a row.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::names::{Context, quiet, unraw};
use crate::model::{Base, Role, Row};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let (view, vis, name) = (cx.view_name(), &cx.definition.vis, &cx.definition.name);
    let fields = cx.plan.pieces.iter().enumerate().map(|(index, piece)| {
        if piece.is_run {
            let (run, layout) = (cx.run(index), cx.layout_name(index));
            return quote!(#run: &'__b #layout);
        }
        let row = piece.rows[0];
        let (variable, ty) = (cx.variable(row), held(cx, row));
        quote!(#variable: #ty)
    });
    let getters = cx.rows().map(|(index, row)| getter(cx, index, row));
    let to_value = to_value(cx);
    let debugged = cx
        .rows()
        .filter(|(_, row)| !row.role.is_computed())
        .map(|(_, row)| {
            let (text, getter, span) = (unraw(&row.name), &row.name, row.written.span());
            quote_spanned!(span=> .field(#text, &self.#getter()))
        });
    // A view of numbers alone borrows nothing.
    let marker = (!borrows(cx))
        .then(|| quote!(__bytes: ::core::marker::PhantomData<&'__b [::core::primitive::u8]>));
    let fields = fields.chain(marker);
    let (text, doc) = (
        unraw(&view),
        format!("A validated look at the bytes of a [`{}`].", unraw(name)),
    );
    let quiet = quiet();
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis struct #view<'__b> { #(#fields),* }

        #quiet
        #[allow(dead_code)]
        impl<'__b> #view<'__b> {
            #(#getters)*
            #to_value
        }

        #quiet
        impl<'__b> ::core::fmt::Debug for #view<'__b> {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                __f.debug_struct(#text) #(#debugged)* .finish()
            }
        }
    }
}

/// The type of a view's field for a variable row: text as its bytes.
fn held(cx: &Context<'_>, row: usize) -> TokenStream {
    let ty = if cx.row(row).ty.base.is_text() {
        quote!(&'__b [::core::primitive::u8])
    } else {
        cx.shown(row)
    };
    if cx.may_be_absent(row) {
        quote!(::core::option::Option<#ty>)
    } else {
        ty
    }
}

/// A row of the view refers to the input.
fn borrows(cx: &Context<'_>) -> bool {
    let mut pieces = cx.plan.pieces.iter();
    pieces.any(|piece| piece.is_run || !matches!(cx.row(piece.rows[0]).ty.base, Base::Int(_)))
}

/// The view from the locals of a reader.
pub(super) fn build(cx: &Context<'_>) -> TokenStream {
    let view = cx.view_name();
    let fields = cx.plan.pieces.iter().enumerate().map(|(index, piece)| {
        let name = if piece.is_run {
            cx.run(index)
        } else {
            cx.variable(piece.rows[0])
        };
        quote!(#name)
    });
    let marker = (!borrows(cx)).then(|| quote!(__bytes: ::core::marker::PhantomData));
    let fields = fields.chain(marker);
    quote!(#view { #(#fields),* })
}

fn getter(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    if matches!(row.role, Role::Reserved | Role::Magic(_)) {
        return TokenStream::new();
    }
    let (name, doc) = (&row.name, cx.row_doc(index));
    let vis = if row.role.is_computed() {
        &cx.definition.vis
    } else {
        &row.vis
    };
    let mut ty = cx.shown(index);
    if cx.may_be_absent(index) {
        ty = quote!(::core::option::Option<#ty>);
    }
    let get = cx.get(index, Some(&quote!(self)));
    if !row.ty.base.is_text() {
        return quote! {
            #[doc = #doc]
            #[inline]
            #[must_use]
            #vis fn #name(&self) -> #ty { #get }
        };
    }
    let (text, bytes) = (cx.as_text(index, &get), as_bytes(cx, index, row, &get));
    quote! {
        #[doc = #doc]
        #[inline]
        #[must_use]
        #vis fn #name(&self) -> #ty { #text }

        #bytes
    }
}

/// The bytes of text beside the text, which is looked through for UTF-8 each time; unless a row has that name.
fn as_bytes(cx: &Context<'_>, index: usize, row: &Row, get: &TokenStream) -> TokenStream {
    let name = format_ident!("{}_bytes", unraw(&row.name));
    if cx.rows().any(|(_, other)| other.name == name) {
        return TokenStream::new();
    }
    let (vis, held) = (&row.vis, held(cx, index));
    let doc = format!("The bytes of [`{0}`](Self::{0}).", unraw(&row.name));
    quote! {
        #[doc = #doc]
        #[inline]
        #[must_use]
        #vis fn #name(&self) -> #held { #get }
    }
}

fn to_value(cx: &Context<'_>) -> TokenStream {
    let name = &cx.definition.name;
    let value = cx.value_type(&quote!('__b));
    let vis = &cx.definition.vis;
    let fields = cx
        .rows()
        .filter(|(_, row)| !row.role.is_computed())
        .map(|(_, row)| {
            let field = &row.name;
            let own = if row.ty.optional {
                let inner = owned(cx, row, &quote!(__shown));
                quote!(self.#field().map(|__shown| #inner))
            } else {
                owned(cx, row, &quote!(self.#field()))
            };
            quote!(#field: #own)
        });
    quote! {
        /// The value that the bytes hold.
        #[must_use]
        #vis fn to_value(&self) -> #value { #name { #(#fields),* } }
    }
}

/// What a getter shows, as the value holds it.
fn owned(cx: &Context<'_>, row: &Row, shown: &TokenStream) -> TokenStream {
    match &row.ty.base {
        Base::Array(_) => quote!(*#shown),
        Base::Bytes => quote!(#shown.to_vec()),
        Base::String => quote!(::core::convert::From::from(#shown)),
        Base::Seq(ty) => {
            let (private, ty) = (cx.private_at(ty.span()), cx.of_input(ty));
            quote_spanned!(ty.span()=> #private::values::<#ty, _>(#shown))
        }
        Base::Path(ty) if !row.is_bits() => {
            let value = cx.of_kind(&cx.of_input(ty), "value");
            quote!(#value(#shown))
        }
        _ => shown.clone(),
    }
}
