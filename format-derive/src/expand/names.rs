//! Names in generated code. Locals are hygienic, so that a row may be called `input` or `end`; paths are absolute and
//! assume no prelude.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Lifetime;

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

/// A local that no name of the user's can meet.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The lifetime of the input in generated code.
pub(super) fn input_lifetime() -> Lifetime {
    Lifetime::new("'ondisk", Span::mixed_site())
}

pub(super) fn primitive(int: Int) -> TokenStream {
    let name = format_ident!("{}", int.name());
    quote!(::core::primitive::#name)
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

    pub(super) fn zerocopy(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private::zerocopy)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &'a Row)> + Clone {
        self.definition.rows.iter().enumerate()
    }

    pub(super) fn row(&self, index: usize) -> &'a Row {
        &self.definition.rows[index]
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
        local(&format!("__run{piece}"))
    }

    /// The local or field that holds a variable row.
    pub(super) fn variable(&self, row: usize) -> Ident {
        local(&format!("__row{row}"))
    }

    /// Position of the first byte of a piece, as a local.
    pub(super) fn start(&self, piece: usize) -> Ident {
        local(&format!("p{piece}"))
    }

    /// The end of the rows that a length bounds, as a local.
    pub(super) fn bound(&self, len: usize) -> Ident {
        local(&format!("bound{len}"))
    }

    /// The number of a row in the description.
    pub(super) fn number(&self, row: usize) -> u16 {
        u16::try_from(row).unwrap_or(u16::MAX)
    }

    /// The little-endian flag of a row.
    pub(super) fn is_le(&self, row: usize) -> bool {
        self.definition.keys.le || self.row(row).keys.le
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

    /// What the getter of a row returns, for a row without `Option`.
    pub(super) fn shown(&self, row: usize, lifetime: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        match &self.row(row).ty.base {
            Base::Int(int) => primitive(*int),
            Base::Bool => quote!(::core::primitive::bool),
            Base::Array(len) => quote!(&#lifetime [::core::primitive::u8; #len]),
            Base::Slice | Base::Bytes => quote!(&#lifetime [::core::primitive::u8]),
            Base::Str | Base::String => quote!(&#lifetime ::core::primitive::str),
            Base::Seq(ty) => {
                let ty = self.relocate(ty, lifetime);
                quote!(#krate::Seq<#lifetime, #ty>)
            }
            Base::Path(ty) if self.row(row).keys.bits.is_some() => ty.clone(),
            Base::Path(ty) => {
                let ty = self.relocate(ty, lifetime);
                quote!(<#ty as #krate::format::Format>::View<#lifetime>)
            }
        }
    }

    /// The row may be absent.
    pub(super) fn may_be_absent(&self, row: usize) -> bool {
        let row = self.row(row);
        row.ty.optional || row.is_versioned()
    }

    /// The value of a row, as its getter returns it: from locals, or from the fields of `of`.
    pub(super) fn get(&self, row: usize, of: Option<&TokenStream>) -> TokenStream {
        let krate = &self.krate;
        let definition = self.row(row);
        let piece = self.plan.piece_of[row];
        let holder =
            |name: Ident| of.map_or_else(|| name.to_token_stream(), |of| quote!(#of.#name));
        if let Some((low, high)) = definition.keys.bits {
            let word = self.get_word(row, of);
            let mask = u64::MAX >> (63 - (high - low));
            let raw = quote!(((#word >> #low) & #mask));
            return match &definition.ty.base {
                Base::Bool => quote!((#raw != 0)),
                Base::Path(ty) => quote!(<#ty as #krate::format::Enumeration>::from_raw_any(#raw)),
                Base::Int(int) => {
                    let primitive = primitive(*int);
                    quote!((#raw as #primitive))
                }
                _ => raw,
            };
        }
        if !self.plan.pieces[piece].is_run {
            return holder(self.variable(row));
        }
        let run = holder(self.run(piece));
        let field = &definition.name;
        match &definition.ty.base {
            Base::Int(int) if int.bytes == 1 => quote!(#run.#field),
            Base::Int(_) => quote!(#run.#field.get()),
            Base::Path(ty) => quote!(<#ty as #krate::format::Fixed>::look(&#run.#field)),
            _ => quote!((&#run.#field)),
        }
    }

    /// The word that holds the bits of a row, as u64.
    pub(super) fn get_word(&self, row: usize, of: Option<&TokenStream>) -> TokenStream {
        let word = self.links.rows[row].word.unwrap_or(row);
        let get = self.get(word, of);
        let unsigned = match &self.row(word).ty.base {
            Base::Int(int) => primitive(Int {
                signed: false,
                ..*int
            }),
            _ => quote!(::core::primitive::u64),
        };
        quote!((#get as #unsigned as ::core::primitive::u64))
    }
}

/// The name without `r#`.
pub(super) fn unraw(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#")
        .map_or(name.clone(), ToOwned::to_owned)
}

fn replace_lifetime(tokens: TokenStream, own: &Lifetime, with: &TokenStream) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
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
