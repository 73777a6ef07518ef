//! What is written for each row.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::{Context, local, primitive};
use crate::model::{Base, Expected, Int, Role};

impl Context<'_> {
    /// The layout of a run, filled in; checksums are 0.
    pub(super) fn lay_run(&self, piece: usize) -> TokenStream {
        let layout = self.layout_name(piece);
        let fields = self.plan.pieces[piece].rows.iter().map(|&index| {
            let row = self.row(index);
            let field = &row.name;
            let written = self.written(index);
            match &row.ty.base {
                Base::Int(int) if int.bytes > 1 => {
                    let stored = self.stored(index, *int);
                    quote!(#field: <#stored>::new(#written))
                }
                _ => quote!(#field: #written),
            }
        });
        quote!(#layout { #(#fields),* })
    }

    /// The value of a row of fixed size, checked against what its reader takes.
    pub(super) fn written(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let version = local("version");
        match &row.role {
            Role::Value | Role::Keep => {
                let given = self.given(index);
                match &row.ty.base {
                    Base::Path(ty) => {
                        quote!(<#ty as #krate::format::Fixed>::lay(&#given, #version)?)
                    }
                    Base::Int(int) => self.limited(index, *int, &given),
                    _ => given,
                }
            }
            Role::Reserved | Role::Checksum(..) => match &row.ty.base {
                Base::Array(len) => quote!([0; #len]),
                _ => quote!(0),
            },
            Role::Magic(Expected::Bytes(bytes)) => {
                let bytes = proc_macro2::Literal::byte_string(bytes);
                quote!(*#bytes)
            }
            Role::Magic(Expected::Number(number)) | Role::MustBe(number) => quote!(#number),
            Role::Version => {
                let Base::Int(int) = row.ty.base else {
                    return quote!(0);
                };
                let primitive = primitive(int);
                quote!(#version as #primitive)
            }
            Role::Len(_) | Role::Count(_) => {
                let Base::Int(int) = row.ty.base else {
                    return quote!(0);
                };
                self.computed_number(index, int)
            }
            Role::Word => self.packed(index),
        }
    }

    /// The number that the writer computes for a varint length, or 0 where it does not fit: for lengths of lengths.
    pub(super) fn computed_or_zero(&self, index: usize) -> TokenStream {
        let total = self.total(index);
        quote!(#total)
    }

    /// A length or count, before it is fitted to its type.
    fn total(&self, index: usize) -> TokenStream {
        let link = &self.links.rows[index];
        if let Some(entries) = link.count_of {
            let given = self.given(entries);
            return if self.row(entries).ty.optional {
                quote!(#given.as_ref().map_or(0, |entries| entries.len()))
            } else {
                quote!(#given.len())
            };
        }
        let Some((from, to)) = link.len_of else {
            return quote!(0usize);
        };
        if link.len_of == Some((from, from + 1))
            && self.links.rows[from].len_by == Some(index)
            && self.row(from).ty.optional
        {
            return self.nullable_total(index, from);
        }
        let mut sizes = Vec::new();
        let mut row = from;
        while row < to {
            if self.row(row).keys.bits.is_none() {
                let piece = self.plan.piece_of[row];
                sizes.push(if self.plan.pieces[piece].is_run {
                    self.inner_size(row)
                } else {
                    self.written_len(row)
                });
            }
            row += 1;
        }
        quote!((0usize #(+ #sizes)*))
    }

    /// The length of a row that may be null, with its bias, as a signed number.
    fn nullable_total(&self, index: usize, of: usize) -> TokenStream {
        let keys = &self.row(index).keys;
        let given = self.given(of);
        let (null, bias) = (keys.null.unwrap_or(0), i64::from(keys.bias.unwrap_or(0)));
        quote!((match &#given {
            ::core::option::Option::Some(bytes) => bytes.len() as ::core::primitive::i64 + #bias,
            ::core::option::Option::None => #null,
        }))
    }

    /// A length or count that fits its type, its bits and its limits.
    fn computed_number(&self, index: usize, int: Int) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let primitive = primitive(int);
        let total = local("total");
        let computed = self.total(index);
        let greatest = match row.keys.bits {
            Some((low, high)) => u64::MAX >> (63 - (high - low)),
            None if int.signed => (1u64 << (u32::from(int.bytes) * 8 - 1)) - 1,
            None => u64::MAX >> (64 - u32::from(int.bytes) * 8),
        };
        let greatest = match &row.keys.max {
            Some(max) => quote!({
                const __ONDISK_LIMIT: #primitive = #max;
                __ONDISK_LIMIT as ::core::primitive::u64
            }),
            None => quote!(#greatest),
        };
        let refuse = self.refuse(
            index,
            &quote!(#krate::Fault::TooLarge {
                found: #total as ::core::primitive::u64, limit: #greatest,
            }),
        );
        let least = row.keys.min.as_ref().map(|min| {
            let refuse = self.refuse(index, &quote!(#krate::Fault::TooSmall {
                found: #total as ::core::primitive::i64, limit: (#min) as ::core::primitive::i64,
            }));
            quote!(if (#total as ::core::primitive::i128) < (#min) as ::core::primitive::i128 { #refuse; })
        });
        quote!({
            let #total = #computed;
            if (#total as ::core::primitive::i128) > (#greatest) as ::core::primitive::i128 { #refuse; }
            #least
            #total as #primitive
        })
    }

    /// A given integer within its limits.
    fn limited(&self, index: usize, int: Int, given: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let primitive = primitive(int);
        let number = local("number");
        let mut checks = TokenStream::new();
        if let Some(min) = &row.keys.min {
            let refuse = self.refuse(index, &quote!(#krate::Fault::TooSmall {
                found: #number as ::core::primitive::i64, limit: __ONDISK_LIMIT as ::core::primitive::i64,
            }));
            checks.extend(quote!({ const __ONDISK_LIMIT: #primitive = #min; if #number < __ONDISK_LIMIT { #refuse; } }));
        }
        if let Some(max) = &row.keys.max {
            let refuse = self.refuse(index, &quote!(#krate::Fault::TooLarge {
                found: #number as ::core::primitive::u64, limit: __ONDISK_LIMIT as ::core::primitive::u64,
            }));
            checks.extend(quote!({ const __ONDISK_LIMIT: #primitive = #max; if #number > __ONDISK_LIMIT { #refuse; } }));
        }
        if let Some((low, high)) = row.keys.bits {
            let mask = u64::MAX >> (63 - (high - low));
            let refuse = self.refuse(
                index,
                &quote!(#krate::Fault::TooLarge {
                    found: #number as ::core::primitive::u64, limit: #mask,
                }),
            );
            checks.extend(quote!(if #number as ::core::primitive::u64 > #mask { #refuse; }));
        }
        if checks.is_empty() {
            return given.clone();
        }
        quote!({ let #number = #given; #checks #number })
    }

    /// A word, from the rows that are its bits.
    fn packed(&self, word: usize) -> TokenStream {
        let krate = &self.krate;
        let Base::Int(int) = self.row(word).ty.base else {
            return quote!(0);
        };
        let (primitive, version) = (primitive(int), local("version"));
        let unsigned = super::super::names::primitive(Int {
            signed: false,
            ..int
        });
        let parts = self.rows().filter(|(index, _)| self.links.rows[*index].word == Some(word)).map(|(index, row)| {
            let (low, _) = row.keys.bits.unwrap_or_default();
            let raw = match (&row.role, &row.ty.base) {
                (Role::Value, Base::Path(ty)) => {
                    let (given, fault) = (self.given(index), local("fault"));
                    let refuse = self.refuse(index, &quote!(#fault));
                    quote!(match <#ty as #krate::format::Enumeration>::to_raw(#given, #version) {
                        ::core::result::Result::Ok(raw) => raw,
                        ::core::result::Result::Err(#fault) => { #refuse }
                    })
                }
                _ => {
                    let written = self.written(index);
                    quote!((#written as ::core::primitive::u64))
                }
            };
            quote!((#raw << #low))
        });
        quote!(((0u64 #(| #parts)*) as #unsigned as #primitive))
    }

    /// Appends a variable row.
    pub(super) fn write_variable(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let (out, version, present) = (local("out"), local("version"), local("present"));
        if row.role.is_computed() {
            let written = self.written(index);
            let put = self.put(index, &quote!((#written)));
            let there = self.in_version(index, &quote!(#version));
            return quote!(if #there { #put });
        }
        let given = self.given(index);
        if !row.ty.optional {
            let given = if matches!(row.ty.base, Base::Path(_)) {
                quote!((&#given))
            } else {
                given
            };
            return self.put(index, &given);
        }
        let there = self.in_version(index, &quote!(#version));
        let by_value = matches!(row.ty.base, Base::Int(_));
        let value = if by_value {
            quote!((*#present))
        } else {
            quote!(#present)
        };
        let put = self.put(index, &value);
        let must_not = self.refuse(index, &quote!(#krate::Fault::Presence { expected: false }));
        let must = self.refuse(index, &quote!(#krate::Fault::Presence { expected: true }));
        // What the version does not have cannot be written; what it has, is there by a condition, a tag, or always.
        let (tag, absent) = match row.keys.tag {
            Some(fixed) => {
                let zeros = if fixed {
                    let size = self.inner_size(index);
                    quote!(#out.resize(#out.len() + #size, 0);)
                } else {
                    TokenStream::new()
                };
                (
                    quote!(#out.push(1);),
                    quote!(if #there { #out.push(0); #zeros }),
                )
            }
            None => {
                let needed = if row.keys.when.is_some() {
                    self.given_condition(index)
                } else if row.is_versioned() {
                    quote!(true)
                } else {
                    quote!(false)
                };
                (TokenStream::new(), quote!(if #there && #needed { #must; }))
            }
        };
        let allowed = if row.keys.when.is_some() {
            self.given_condition(index)
        } else {
            quote!(true)
        };
        quote! {
            match &#given {
                ::core::option::Option::Some(#present) => {
                    if !(#there && #allowed) { #must_not; }
                    #tag
                    #put
                }
                ::core::option::Option::None => { #absent }
            }
        }
    }

    /// The condition of a row, over the value being written.
    fn given_condition(&self, index: usize) -> TokenStream {
        let Some(condition) = &self.row(index).keys.when else {
            return quote!(true);
        };
        let bindings = self.links.rows[index].when.iter().map(|&other| {
            let (name, row) = (&self.row(other).name, self.row(other));
            let value = match (&row.role, &row.ty.base) {
                (Role::Value | Role::Keep, Base::Array(_)) => {
                    let given = self.given(other);
                    quote!(&#given)
                }
                (Role::Value | Role::Keep, _) => self.given(other),
                _ => self.written(other),
            };
            quote!(let #name = #value;)
        });
        quote!({ #(#bindings)* #condition })
    }

    /// Appends a value that is there.
    fn put(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let (out, version) = (local("out"), local("version"));
        match &row.ty.base {
            Base::Int(int) if row.keys.varint.is_some() => {
                let limited = self.limited(index, *int, value);
                let number = local("varint");
                let raw = self.varint_raw(index, &quote!(#number));
                quote! {
                    let #number = #limited;
                    let (bytes, used) = #krate::varint::write(#raw);
                    #out.extend_from_slice(bytes.get(..used).unwrap_or(&[]));
                }
            }
            Base::Int(int) => {
                let order = if self.is_le(index) {
                    quote!(to_le_bytes)
                } else {
                    quote!(to_be_bytes)
                };
                let limited = self.limited(index, *int, value);
                let primitive = primitive(*int);
                quote!(#out.extend_from_slice(&(#limited as #primitive).#order());)
            }
            Base::Array(_) | Base::Slice | Base::Bytes => {
                quote!(#out.extend_from_slice(&#value[..]);)
            }
            Base::Str | Base::String => quote!(#out.extend_from_slice(#value.as_bytes());),
            Base::Seq(_) => {
                let entries = if row.ty.optional {
                    quote!(#value)
                } else {
                    quote!(&#value)
                };
                quote!(for entry in #entries { #krate::encode::Encode::encode_at(entry, #version, #out)?; })
            }
            Base::Path(_) => quote!(#krate::encode::Encode::encode_at(#value, #version, #out)?;),
            Base::Bool => TokenStream::new(),
        }
    }
}
