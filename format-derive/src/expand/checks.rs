//! Checks of single rows: identity, and the values.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::names::{Context, local, primitive, unraw};
use crate::model::{Base, Expected, Role, Varint};
use crate::plan::Place;

impl Context<'_> {
    /// Position of the first byte of a row, from the start of the kind.
    pub(super) fn position(&self, index: usize) -> TokenStream {
        let index = self.links.rows[index].word.unwrap_or(index);
        let piece = self.plan.piece_of[index];
        let start = self.piece_start(piece);
        if !self.plan.pieces[piece].is_run {
            return start;
        }
        let (layout, field) = (self.layout_name(piece), &self.row(index).name);
        quote!((#start + ::core::mem::offset_of!(#layout, #field)))
    }

    fn piece_start(&self, piece: usize) -> TokenStream {
        if self.plan.pieces[piece].place == Place::Foot {
            let end = local("end");
            return quote!(#end);
        }
        let start = self.start(piece);
        if piece == 0 {
            quote!(0usize)
        } else {
            quote!(#start)
        }
    }

    /// `return Err(..)` with a fault at a row.
    pub(super) fn fail(&self, index: usize, fault: &TokenStream) -> TokenStream {
        let position = self.position(index);
        self.fail_at(index, &position, fault)
    }

    /// `return Err(..)` with a fault about a row, at a position.
    pub(super) fn fail_at(
        &self,
        index: usize,
        position: &TokenStream,
        fault: &TokenStream,
    ) -> TokenStream {
        let krate = &self.krate;
        let (at, number) = (local("at"), self.number(index));
        quote! {
            return ::core::result::Result::Err(<E as #krate::Fail>::fail(|| {
                #krate::Error::new(
                    <Self as #krate::format::Format>::KIND, #number, #at.saturating_add(#position), #fault,
                )
            }))
        }
    }

    /// The check of a magic, a version, or what must be.
    pub(super) fn identity(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let get = self.get(index, None);
        match &row.role {
            Role::Magic(expected) => {
                let (bytes, field) = (
                    self.expected_bytes(index, expected),
                    self.stored_bytes(index),
                );
                let fail = self.fail(index, &quote!(#krate::Fault::Magic {
                    expected: #krate::Bytes8::of(__ONDISK_EXPECTED), found: #krate::Bytes8::of(#field),
                }));
                let same = match expected {
                    Expected::Bytes(bytes) => {
                        let bytes = proc_macro2::Literal::byte_string(bytes);
                        quote!(*#get == *#bytes)
                    }
                    Expected::Number(number) => quote!(#get == (#number)),
                };
                quote! {
                    if !(#same) {
                        const __ONDISK_EXPECTED: &[::core::primitive::u8] = #bytes;
                        #fail;
                    }
                }
            }
            Role::MustBe(expected) => {
                let fail = self.fail(index, &quote!(#krate::Fault::MustBe {
                    expected: (#expected) as ::core::primitive::u64, found: #get as ::core::primitive::u64,
                }));
                if self.may_be_absent(index) {
                    let present = local("present");
                    let fail = self.fail(index, &quote!(#krate::Fault::MustBe {
                        expected: (#expected) as ::core::primitive::u64, found: #present as ::core::primitive::u64,
                    }));
                    return quote! {
                        if let ::core::option::Option::Some(#present) = #get && #present != (#expected) { #fail; }
                    };
                }
                quote!(if #get != (#expected) { #fail; })
            }
            Role::Version => {
                let (min, max) = self.definition.keys.reads.unwrap_or((0, 0));
                let cx = local("cx");
                let fail = self.fail(
                    index,
                    &quote!(#krate::Fault::Version { found: #cx.version, min: #min, max: #max }),
                );
                let range = match (min, max) {
                    (0, max) => quote!(#cx.version <= #max),
                    (min, max) if min == max => quote!(#cx.version == #min),
                    (min, max) => quote!(#min <= #cx.version && #cx.version <= #max),
                };
                quote!(if !(#range) { #fail; })
            }
            _ => TokenStream::new(),
        }
    }

    /// The bytes of a row in a run, as a slice expression.
    fn stored_bytes(&self, index: usize) -> TokenStream {
        let zerocopy = self.zerocopy();
        let run = self.run(self.plan.piece_of[index]);
        let field = &self.row(index).name;
        quote!(#zerocopy::IntoBytes::as_bytes(&#run.#field))
    }

    /// The bytes that a magic must be, as a constant expression.
    pub(super) fn expected_bytes(&self, index: usize, expected: &Expected) -> TokenStream {
        match expected {
            Expected::Bytes(bytes) => {
                let bytes = proc_macro2::Literal::byte_string(bytes);
                quote!(#bytes)
            }
            Expected::Number(number) => self.number_bytes(index, number),
        }
    }

    /// The stored bytes of a constant of a row's type.
    pub(super) fn number_bytes(&self, index: usize, number: &TokenStream) -> TokenStream {
        let Base::Int(int) = self.row(index).ty.base else {
            return quote!(&[]);
        };
        let primitive = primitive(int);
        let order = if self.is_le(index) {
            quote!(to_le_bytes)
        } else {
            quote!(to_be_bytes)
        };
        quote!({
            const __ONDISK_NUMBER: #primitive = #number;
            &__ONDISK_NUMBER.#order()
        })
    }

    /// The checks of a row's value that follow from its type and limits.
    pub(super) fn value_checks(&self, index: usize) -> TokenStream {
        let get = self.get(index, None);
        if !self.may_be_absent(index) {
            return self.typed_checks(index, &get);
        }
        let present = local("present");
        let inner = self.typed_checks(index, &quote!(#present));
        if inner.is_empty() {
            return inner;
        }
        quote!(if let ::core::option::Option::Some(#present) = #get { #inner })
    }

    /// The checks of a row's value that the definition adds in code.
    pub(super) fn value_rules(&self, index: usize) -> TokenStream {
        self.rules(index, &self.get(index, None))
    }

    /// Checks that follow from the type and the limits.
    fn typed_checks(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let (at, cx) = (local("at"), local("cx"));
        match &row.ty.base {
            Base::Path(ty) if row.keys.bits.is_some() => {
                let (low, high) = row.keys.bits.unwrap_or_default();
                let word = self.get_word(index, None);
                let mask = u64::MAX >> (63 - (high - low));
                let fault = local("fault");
                let fail = self.fail(index, &quote!(#fault));
                quote! {
                    if let ::core::result::Result::Err(#fault) =
                        <#ty as #krate::format::Enumeration>::from_raw((#word >> #low) & #mask, #cx.version)
                    {
                        #fail;
                    }
                }
            }
            Base::Path(ty) if self.plan.pieces[self.plan.piece_of[index]].is_run => {
                let run = self.run(self.plan.piece_of[index]);
                let (field, position) = (&row.name, self.position(index));
                let in_row = self.in_row(index);
                quote! {
                    <#ty as #krate::format::Fixed>::check::<E, LEVEL>(
                        &#run.#field, #at.saturating_add(#position), #cx.nested(true),
                    )#in_row?;
                }
            }
            base if base.is_text() => {
                let error = local("error");
                let fail = self.fail(
                    index,
                    &quote!(#krate::Fault::Utf8 {
                        valid_up_to: #error.valid_up_to() as ::core::primitive::u64,
                    }),
                );
                quote! {
                    if let ::core::result::Result::Err(#error) = ::core::str::from_utf8(#value) { #fail; }
                }
            }
            Base::Int(int) => self.limits(index, *int, value),
            _ => TokenStream::new(),
        }
    }

    /// Says which row a refused enum stands in.
    pub(super) fn in_row(&self, index: usize) -> TokenStream {
        let (krate, number) = (&self.krate, self.number(index));
        quote!(.map_err(|error: E| {
            <E as #krate::Fail>::in_row(error, <Self as #krate::format::Format>::KIND, #number)
        }))
    }

    fn limits(&self, index: usize, int: crate::model::Int, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let primitive = primitive(int);
        let mut out = TokenStream::new();
        let too_small = |limit: TokenStream| {
            self.fail(index, &quote!(#krate::Fault::TooSmall { found: #value as ::core::primitive::i64, limit: #limit }))
        };
        let length = matches!(row.role, Role::Len(_) | Role::Count(_));
        let signed = int.signed || row.keys.varint == Some(Varint::ZigZag);
        if length && signed && row.keys.null.is_none() && row.keys.min.is_none() {
            let fail = too_small(quote!(0));
            out.extend(quote!(if #value < 0 { #fail; }));
        }
        if let Some(min) = &row.keys.min {
            let fail = too_small(quote!(__ONDISK_LIMIT as ::core::primitive::i64));
            out.extend(quote_spanned!(row.name.span()=> {
                const __ONDISK_LIMIT: #primitive = #min;
                if #value < __ONDISK_LIMIT { #fail; }
            }));
        }
        if let Some(max) = &row.keys.max {
            let fail = self.fail(index, &quote!(#krate::Fault::TooLarge {
                found: #value as ::core::primitive::u64, limit: __ONDISK_LIMIT as ::core::primitive::u64,
            }));
            out.extend(quote_spanned!(row.name.span()=> {
                const __ONDISK_LIMIT: #primitive = #max;
                if #value > __ONDISK_LIMIT { #fail; }
            }));
        }
        out
    }

    /// The checks in code.
    fn rules(&self, index: usize, value: &TokenStream) -> TokenStream {
        let row = self.row(index);
        if row.keys.checks.is_empty() {
            return TokenStream::new();
        }
        let fault = local("fault");
        let fail = self.fail(index, &quote!(#fault));
        let value = if row.ty.base.is_text() {
            self.as_text(index, value)
        } else {
            value.clone()
        };
        let head = self.plan.has_head().then(|| {
            let run = self.run(0);
            quote!(, #run)
        });
        let calls = row.keys.checks.iter().map(|check| {
            quote!(if let ::core::result::Result::Err(#fault) = #check(#value #head) { #fail; })
        });
        quote!(#(#calls)*)
    }

    /// Stored text as `&str`. It was validated, so the default stands for bytes that changed since.
    pub(super) fn as_text(&self, index: usize, value: &TokenStream) -> TokenStream {
        let text = quote!(::core::str::from_utf8);
        if self.may_be_absent(index) {
            let bytes = local("bytes");
            quote!(#value.map(|#bytes| #text(#bytes).unwrap_or("")))
        } else {
            quote!(#text(#value).unwrap_or(""))
        }
    }

    /// The doc comment of a generated item about a row.
    pub(super) fn row_doc(&self, index: usize) -> String {
        let row = self.row(index);
        if row.doc.is_empty() {
            format!("The row `{}`.", unraw(&row.name))
        } else {
            row.doc.clone()
        }
    }
}
