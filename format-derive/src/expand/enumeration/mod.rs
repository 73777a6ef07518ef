//! An enum: a number with named values, in bits or as an integer of its own.

mod arbitrary;
mod fixed;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::{quiet, unraw};
use crate::model::{Enumeration, Held, Repr, Variant};

/// Everything that an enum becomes.
pub(crate) fn expand(definition: &Enumeration) -> TokenStream {
    let krate = definition.krate.clone().unwrap_or_else(|| quote!(::ondisk));
    let variants = definition.variants.iter();
    let cx = Context {
        definition,
        named: variants.filter(|variant| !variant.other).collect(),
        krate,
    };
    let enumeration = cx.enumeration();
    let arbitrary = cx.arbitrary();
    let fixed = match definition.repr {
        Some(Repr::Int(int)) => cx.fixed(int),
        _ => TokenStream::new(),
    };
    quote!(#enumeration #arbitrary #fixed)
}

struct Context<'a> {
    definition: &'a Enumeration,
    /// The variants that have a number.
    named: Vec<&'a Variant>,
    krate: TokenStream,
}

/// The versions that have a variant.
fn range(variant: &Variant) -> (u32, u32) {
    (
        variant.since.unwrap_or(0),
        variant.until.unwrap_or(u32::MAX),
    )
}

/// The constant with the number of a variant.
fn constant(variant: &Variant) -> Ident {
    format_ident!("__{}", unraw(&variant.name).to_uppercase())
}

impl Context<'_> {
    fn bits(&self) -> u32 {
        u32::from(self.definition.repr.map_or(0, Repr::bits))
    }

    fn enumeration(&self) -> TokenStream {
        let krate = &self.krate;
        let name = &self.definition.name;
        let kind = self.kind();
        let first = self.named.first().map(|variant| &variant.name);
        let (bits, quiet) = (self.bits(), quiet());
        let greatest = u64::MAX >> (64 - bits.clamp(1, 64));
        let numbers = self.named.iter().map(|variant| {
            let (constant, ident, value) = (constant(variant), &variant.name, &variant.value);
            // Without fields, the compiler says what number it is.
            let value = match self.other() {
                None => quote!(#name::#ident),
                Some(_) => quote!((#value)),
            };
            let message = format!("the number of `{}` does not fit {bits} bits", variant.name);
            quote! {
                const #constant: ::core::primitive::u64 = #value as ::core::primitive::u64;
                const _: () = ::core::assert!(#constant <= #greatest, #message);
            }
        });
        let (from_raw, from_raw_any, to_raw) = (self.reading(), self.reading_any(), self.writing());
        quote! {
            #quiet
            const _: () = {
                #(#numbers)*

                #quiet
                impl #krate::format::Enumeration for #name {
                    const BITS: ::core::primitive::u32 = #bits;
                    const FIRST: Self = Self::#first;
                    const KIND: &'static #krate::Kind = #kind;

                    #[inline]
                    fn from_raw(
                        __raw: ::core::primitive::u64,
                        __version: ::core::primitive::u32,
                    ) -> ::core::result::Result<Self, #krate::Fault> {
                        #from_raw
                    }

                    #[inline]
                    fn from_raw_any(__raw: ::core::primitive::u64) -> Self {
                        #from_raw_any
                    }

                    #[inline]
                    fn to_raw(
                        self,
                        __version: ::core::primitive::u32,
                    ) -> ::core::result::Result<::core::primitive::u64, #krate::Fault> {
                        #to_raw
                    }
                }
            };
        }
    }

    /// The variant that keeps numbers without a name, and the type that it keeps them in.
    fn other(&self) -> Option<(&Ident, TokenStream)> {
        let mut variants = self.definition.variants.iter();
        let other = variants.find(|variant| variant.other)?;
        match other.holds {
            Held::Int(int) => Some((&other.name, super::names::primitive(int))),
            Held::Nothing | Held::Else => None,
        }
    }

    fn reading(&self) -> TokenStream {
        let krate = &self.krate;
        let arms = self.named.iter().map(|variant| {
            let (name, number) = (&variant.name, constant(variant));
            let found = quote!(::core::result::Result::Ok(Self::#name));
            match (in_range(variant), self.not_in_version(variant)) {
                (Some(there), fault) => quote! {
                    #number if #there => #found,
                    #number => ::core::result::Result::Err(#fault)
                },
                (None, _) => quote!(#number => #found),
            }
        });
        let other = match self.other() {
            Some((name, int)) => quote!(::core::result::Result::Ok(Self::#name(__raw as #int))),
            None => quote!(::core::result::Result::Err(#krate::Fault::Unknown { found: __raw })),
        };
        quote!(match __raw { #(#arms,)* _ => #other })
    }

    fn reading_any(&self) -> TokenStream {
        let arms = self.named.iter().map(|variant| {
            let (name, number) = (&variant.name, constant(variant));
            quote!(#number => Self::#name)
        });
        let other = match self.other() {
            Some((name, int)) => quote!(Self::#name(__raw as #int)),
            None => {
                let krate = &self.krate;
                quote!(<Self as #krate::format::Enumeration>::FIRST)
            }
        };
        quote!(match __raw { #(#arms,)* _ => #other })
    }

    fn writing(&self) -> TokenStream {
        let krate = &self.krate;
        let arms = self.named.iter().map(|variant| {
            let (name, number) = (&variant.name, constant(variant));
            let raw = quote!(::core::result::Result::Ok(#number));
            match (in_range(variant), self.not_in_version(variant)) {
                (Some(there), fault) => quote! {
                    Self::#name if #there => #raw,
                    Self::#name => { let __raw = #number; ::core::result::Result::Err(#fault) }
                },
                (None, _) => quote!(Self::#name => #raw),
            }
        });
        let numbers = self.named.iter().map(|variant| constant(variant));
        let greatest = u64::MAX >> (64 - self.bits().clamp(1, 64));
        let other = self.other().map(|(name, _)| quote! {
            Self::#name(__other) => match __other as ::core::primitive::u64 {
                #(#numbers)|* => ::core::result::Result::Err(#krate::Fault::Refused {
                    rule: "a number with a name is written by its name",
                    found: __other as ::core::primitive::u64,
                }),
                __raw if __raw > #greatest => ::core::result::Result::Err(#krate::Fault::TooLarge {
                    found: __raw, limit: #greatest,
                }),
                __raw => ::core::result::Result::Ok(__raw),
            }
        });
        quote!(match self { #(#arms,)* #other })
    }

    /// `Fault::NotInVersion`, over the locals.
    fn not_in_version(&self, variant: &Variant) -> TokenStream {
        let krate = &self.krate;
        let (since, until) = range(variant);
        quote! {
            #krate::Fault::NotInVersion {
                found: __raw, version: __version, since: #since, until: #until,
            }
        }
    }

    fn kind(&self) -> TokenStream {
        let krate = &self.krate;
        let definition = self.definition;
        let (name, doc) = (unraw(&definition.name), &definition.doc);
        let open = definition.variants.iter().any(|variant| variant.other);
        let bytes = match definition.repr {
            Some(Repr::Int(int)) => int.bytes,
            _ => 0,
        };
        let size = usize::from(bytes);
        let variants = self.named.iter().map(|variant| {
            let (name, doc, number) = (unraw(&variant.name), &variant.doc, constant(variant));
            let (since, until) = range(variant);
            quote! {
                #krate::describe::Variant {
                    name: #name, doc: #doc, value: #number, since: #since, until: #until,
                }
            }
        });
        let endian = if definition.le {
            quote!(Little)
        } else {
            quote!(Big)
        };
        quote! {
            &#krate::Kind {
                name: #name,
                module: ::core::module_path!(),
                doc: #doc,
                shape: #krate::describe::Shape::Enum { bytes: #bytes, variants: &[#(#variants),*], open: #open },
                file: ::core::option::Option::None,
                head_of: ::core::option::Option::None,
                whole: false,
                class: ::core::option::Option::None,
                endian: #krate::describe::Endian::#endian,
                versions: ::core::option::Option::None,
                version_of: ::core::option::Option::None,
                trailing: #krate::describe::Trailing::Refuse,
                canonical: true,
                size: ::core::option::Option::Some(#size),
                min: #size,
                steps: &[],
            }
        }
    }
}

/// The condition under which a version has a variant, unless all do.
fn in_range(variant: &Variant) -> Option<TokenStream> {
    match range(variant) {
        (0, u32::MAX) => None,
        (since, u32::MAX) => Some(quote!(#since <= __version)),
        (0, until) => Some(quote!(__version <= #until)),
        (since, until) => Some(quote!(#since <= __version && __version <= #until)),
    }
}
