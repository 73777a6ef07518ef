//! The type of a row.

use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments};

use crate::diagnostic::Diagnostics;
use crate::model::{Base, Int, Type};

pub(super) fn parse(ty: &syn::Type, errors: &mut Diagnostics) -> Type {
    if let Some(inner) = argument_of(ty, "Option") {
        let base = base(inner, errors);
        return Type {
            base,
            optional: true,
        };
    }
    Type {
        base: base(ty, errors),
        optional: false,
    }
}

/// An integer type by its name, or by the path of the primitive where the name means something else.
pub(super) fn int_of(ty: &syn::Type) -> Option<Int> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let segments: Vec<_> = path.path.segments.iter().map(|s| &s.ident).collect();
    match segments[..] {
        [name] => int(&name.to_string()),
        [root, module, name] if (root == "core" || root == "std") && module == "primitive" => {
            int(&name.to_string())
        }
        _ => None,
    }
}

/// The integer type of that name.
pub(super) fn int(name: &str) -> Option<Int> {
    let (signed, bits) = match name.split_at_checked(1)? {
        ("u", bits) => (false, bits),
        ("i", bits) => (true, bits),
        _ => return None,
    };
    let bytes = match bits {
        "8" => 1,
        "16" => 2,
        "32" => 4,
        "64" => 8,
        _ => return None,
    };
    Some(Int { bytes, signed })
}

fn base(ty: &syn::Type, errors: &mut Diagnostics) -> Base {
    if let Some(int) = int_of(ty) {
        return Base::Int(int);
    }
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            if let Some(name) = path.path.get_ident() {
                let name = name.to_string();
                match name.as_str() {
                    "bool" => return Base::Bool,
                    "String" => return Base::String,
                    "usize" | "isize" | "u128" | "i128" | "f32" | "f64" | "char" => {
                        let message =
                            format!("`{name}` has no layout here; take u8 to u64 or i8 to i64");
                        errors.syn(&syn::Error::new_spanned(ty, message));
                    }
                    _ => {}
                }
            }
            if let Some(inner) = argument_of(ty, "Vec") {
                if is_u8(inner) {
                    return Base::Bytes;
                }
                return Base::Seq(inner.to_token_stream());
            }
            Base::Path(path.to_token_stream())
        }
        syn::Type::Array(array) if is_u8(&array.elem) => {
            let len = &array.len;
            Base::Array(quote!(#len))
        }
        syn::Type::Reference(reference)
            if reference.mutability.is_none() && reference.lifetime.is_some() =>
        {
            match &*reference.elem {
                syn::Type::Slice(slice) if is_u8(&slice.elem) => Base::Slice,
                syn::Type::Path(path) if path.path.is_ident("str") => Base::Str,
                _ => unknown(ty, errors),
            }
        }
        _ => unknown(ty, errors),
    }
}

fn unknown(ty: &syn::Type, errors: &mut Diagnostics) -> Base {
    errors.syn(&syn::Error::new_spanned(
        ty,
        "a row is an integer, `[u8; N]`, `&'a [u8]`, `Vec<u8>`, `&'a str`, `String`, a kind, an enum, \
         `Vec<kind>`, or an `Option` of one of them",
    ));
    Base::Path(ty.to_token_stream())
}

fn is_u8(ty: &syn::Type) -> bool {
    int_of(ty).is_some_and(|int| int.bytes == 1 && !int.signed)
}

/// The argument of `Name<argument>`, by whatever path `Name` is reached.
fn argument_of<'a>(ty: &'a syn::Type, name: &str) -> Option<&'a syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != name {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(ty) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
