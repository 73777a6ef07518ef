//! Names and types in generated code. Paths are absolute and assume no prelude; locals have two underscores in front.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::Lifetime;
use syn::spanned::Spanned;

use crate::check::Links;
use crate::model::{Base, Definition, Int, Row};
use crate::plan::{Place, Plan};

/// What every part of the expansion looks at.
pub(super) struct Context<'a> {
    pub(super) definition: &'a Definition,
    pub(super) links: &'a Links,
    pub(super) plan: &'a Plan,
    /// Path of the runtime.
    pub(super) krate: TokenStream,
}

/// The lints that generated code does not obey, and need not.
pub(super) fn quiet() -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, trivial_casts, trivial_numeric_casts,
            unused_comparisons, unused_mut, unused_parens, unused_qualifications, unused_variables, unreachable_pub,
        )]
    }
}

pub(super) fn primitive(int: Int) -> TokenStream {
    let name = format_ident!("{}", int.name());
    quote!(::core::primitive::#name)
}

/// The unsigned type of the same size.
pub(super) fn unsigned(int: Int) -> TokenStream {
    primitive(Int {
        signed: false,
        ..int
    })
}

/// The bits below a width.
pub(super) fn mask((low, high): (u8, u8)) -> u64 {
    u64::MAX >> (63 - (high - low))
}

impl<'a> Context<'a> {
    pub(super) fn new(definition: &'a Definition, links: &'a Links, plan: &'a Plan) -> Self {
        let krate = definition
            .keys
            .krate
            .clone()
            .unwrap_or_else(|| quote!(::ondisk));
        Self {
            definition,
            links,
            plan,
            krate,
        }
    }

    pub(super) fn private(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private)
    }

    /// The same path with a span of the user's, for calls whose mistakes are the user's.
    pub(super) fn private_at(&self, span: Span) -> TokenStream {
        let respan = |mut tree: TokenTree| {
            tree.set_span(span);
            tree
        };
        self.private().into_iter().map(respan).collect()
    }

    pub(super) fn zerocopy(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private::zerocopy)
    }

    /// `<ty as Format>::item` with the span of the type, so that a type which is no kind is reported at its row.
    pub(super) fn of_kind(&self, ty: &TokenStream, item: &str) -> TokenStream {
        self.of_trait(ty, "Format", item)
    }

    /// `<ty as Trait>::item`, for the traits in the runtime's module `format`.
    pub(super) fn of_trait(&self, ty: &TokenStream, of: &str, item: &str) -> TokenStream {
        let (krate, span) = (&self.krate, ty.span());
        let (of, item) = (Ident::new(of, span), Ident::new(item, span));
        quote_spanned!(span=> <#ty as #krate::format::#of>::#item)
    }

    /// The version of the kind or the entries that a row holds, in an instance of `__version`.
    pub(super) fn version_inside(&self, row: usize) -> TokenStream {
        let krate = &self.krate;
        match &self.row(row).ty.base {
            Base::Seq(ty) | Base::Path(ty) if !self.row(row).is_bits() => {
                quote_spanned!(ty.span()=> #krate::format::version_inside::<#ty>(__version))
            }
            _ => quote!(__version),
        }
    }

    /// `<ty as Encode>::item`, for the kind or the entries that a row holds.
    pub(super) fn of_encode(&self, row: usize, item: &str) -> TokenStream {
        let krate = &self.krate;
        match &self.row(row).ty.base {
            Base::Seq(ty) | Base::Path(ty) => {
                let item = Ident::new(item, ty.span());
                quote_spanned!(ty.span()=> <#ty as #krate::encode::Encode>::#item)
            }
            _ => TokenStream::new(),
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &'a Row)> + Clone {
        self.definition.rows.iter().enumerate()
    }

    pub(super) fn row(&self, index: usize) -> &'a Row {
        &self.definition.rows[index]
    }

    /// The piece of a row is a run.
    pub(super) fn is_in_run(&self, row: usize) -> bool {
        self.plan.pieces[self.plan.piece_of[row]].is_run
    }

    /// `Name`, or `Name<'lifetime>`.
    pub(super) fn value_type(&self, lifetime: &TokenStream) -> TokenStream {
        let name = &self.definition.name;
        match self.definition.lifetime {
            Some(_) => quote!(#name<#lifetime>),
            None => quote!(#name),
        }
    }

    /// The generics of an impl for the value, and the value's type with them.
    pub(super) fn implementor(&self) -> (TokenStream, TokenStream) {
        let name = &self.definition.name;
        match &self.definition.lifetime {
            Some(lifetime) => (quote!(<#lifetime>), quote!(#name<#lifetime>)),
            None => (TokenStream::new(), quote!(#name)),
        }
    }

    pub(super) fn view_name(&self) -> Ident {
        let name = &self.definition.name;
        Ident::new(&format!("{}View", unraw(name)), name.span())
    }

    /// The struct of a run.
    pub(super) fn layout_name(&self, piece: usize) -> Ident {
        let name = &self.definition.name;
        let runs = self
            .plan
            .pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| piece.is_run);
        let number = runs.take_while(|(index, _)| *index < piece).count();
        let suffix = match number {
            0 => "Layout".to_owned(),
            _ if self.plan.pieces[piece].place == Place::Foot => "Foot".to_owned(),
            n => format!("Run{n}"),
        };
        Ident::new(&format!("{}{suffix}", unraw(name)), name.span())
    }

    /// The local or field that holds a run.
    pub(super) fn run(&self, piece: usize) -> Ident {
        format_ident!("__run{piece}")
    }

    /// The local or field that holds a variable row.
    pub(super) fn variable(&self, row: usize) -> Ident {
        format_ident!("__row{row}")
    }

    /// Position of the first byte of a piece, as a local.
    pub(super) fn start(&self, piece: usize) -> Ident {
        format_ident!("__start{piece}")
    }

    /// The end of the rows that a length bounds, as a local.
    pub(super) fn bound(&self, len: usize) -> Ident {
        format_ident!("__bound{len}")
    }

    /// The number of a row in the description.
    pub(super) fn number(&self, row: usize) -> u16 {
        u16::try_from(row).unwrap_or(u16::MAX)
    }

    /// The little-endian flag of a row.
    pub(super) fn is_le(&self, row: usize) -> bool {
        self.definition.keys.le || self.row(row).keys.le
    }

    /// The method that makes bytes of an integer row.
    pub(super) fn to_bytes(&self, row: usize) -> TokenStream {
        if self.is_le(row) {
            quote!(to_le_bytes)
        } else {
            quote!(to_be_bytes)
        }
    }

    /// The type that holds an integer row in a layout.
    pub(super) fn stored(&self, row: usize, int: Int) -> TokenStream {
        let primitive = primitive(int);
        if int.bytes == 1 {
            return primitive;
        }
        let name = format_ident!("{}", int.name().to_uppercase());
        let zerocopy = self.zerocopy();
        let order = if self.is_le(row) {
            quote!(little_endian)
        } else {
            quote!(big_endian)
        };
        quote!(#zerocopy::byteorder::#order::#name)
    }

    /// A type as written in the definition, with its lifetime replaced.
    pub(super) fn relocate(&self, ty: &TokenStream, lifetime: &TokenStream) -> TokenStream {
        match &self.definition.lifetime {
            Some(own) => replace_lifetime(ty.clone(), own, lifetime),
            None => ty.clone(),
        }
    }

    /// A type as written in the definition, over the bytes being read.
    pub(super) fn of_input(&self, ty: &TokenStream) -> TokenStream {
        self.relocate(ty, &quote!('__b))
    }
}

/// The name without `r#`.
pub(super) fn unraw(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#")
        .map_or(name.clone(), ToOwned::to_owned)
}

fn replace_lifetime(tokens: TokenStream, own: &Lifetime, with: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                if matches!(tokens.peek(), Some(TokenTree::Ident(ident)) if *ident == own.ident) {
                    tokens.next();
                    out.extend(with.clone());
                } else {
                    out.extend([TokenTree::Punct(punct)]);
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(
                    group.delimiter(),
                    replace_lifetime(group.stream(), own, with),
                );
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}
