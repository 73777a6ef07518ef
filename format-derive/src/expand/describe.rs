//! The description: what the definition says, as a constant.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, local, primitive, unraw};
use crate::model::{Algorithm, Base, Class, Role, Row, Varint};
use crate::plan::Act;

/// `&Kind { .. }`.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let definition = cx.definition;
    let keys = &definition.keys;
    let (name, doc) = (unraw(&definition.name), &definition.doc);
    let (file, head_of) = (
        option_text(keys.file.as_ref()),
        option_text(keys.head_of.as_ref()),
    );
    let whole = keys.is_whole();
    let class = match keys.class {
        None => quote!(::core::option::Option::None),
        Some(Class::Authoritative) => {
            quote!(::core::option::Option::Some(#describe::Class::Authoritative))
        }
        Some(Class::Derived) => quote!(::core::option::Option::Some(#describe::Class::Derived)),
    };
    let endian = endian(krate, keys.le);
    let trailing = if keys.trailing_ignore {
        quote!(Ignore)
    } else {
        quote!(Refuse)
    };
    let canonical = keys.canonical;
    let (versions, version_of) = (versions(cx), version_of(cx));
    let rows = cx.rows().map(|(index, row)| describe_row(cx, index, row));
    let steps = steps(cx);
    quote! {
        &#krate::Kind {
            name: #name,
            module: ::core::module_path!(),
            doc: #doc,
            shape: #describe::Shape::Rows(&[#(#rows),*]),
            file: #file,
            head_of: #head_of,
            whole: #whole,
            class: #class,
            endian: #endian,
            versions: #versions,
            version_of: #version_of,
            trailing: #describe::Trailing::#trailing,
            canonical: #canonical,
            size: <Self as #krate::format::Format>::SIZE,
            min: <Self as #krate::format::Format>::MIN,
            steps: &[#(#steps),*],
        }
    }
}

fn option_text(text: Option<&String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

fn endian(krate: &TokenStream, le: bool) -> TokenStream {
    if le {
        quote!(#krate::describe::Endian::Little)
    } else {
        quote!(#krate::describe::Endian::Big)
    }
}

fn versions(cx: &Context<'_>) -> TokenStream {
    let keys = &cx.definition.keys;
    let describe = {
        let krate = &cx.krate;
        quote!(#krate::describe)
    };
    let Some((min, max)) = keys.reads else {
        return quote!(::core::option::Option::None);
    };
    let (writes, adopt) = (keys.writes.unwrap_or(max), keys.adopt);
    let gates = keys
        .gates
        .iter()
        .map(|(version, feature)| quote!(#describe::Gate { version: #version, feature: #feature }));
    quote! {
        ::core::option::Option::Some(#describe::Versions {
            min: #min, max: #max, writes: #writes, adopt: #adopt, gates: &[#(#gates),*],
        })
    }
}

fn version_of(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    match &cx.definition.keys.version_of {
        Some(of) => quote!(::core::option::Option::Some(|| <#of as #krate::format::Format>::KIND)),
        None => quote!(::core::option::Option::None),
    }
}

fn describe_row(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let (name, doc) = (unraw(&row.name), &row.doc);
    let (ty, role, presence) = (ty(cx, row), role(cx, index, row), presence(cx, index, row));
    let in_value = !row.role.is_computed();
    let option = |value: Option<TokenStream>| match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    };
    let in_bits = row.keys.bits.is_some();
    let piece = cx.plan.piece_of[index];
    let is_run = cx.plan.pieces[piece].is_run;
    let word = cx.links.rows[index].word.unwrap_or(index);
    let offset = option((is_run && piece == 0).then(|| {
        let (layout, field) = (cx.layout_name(0), &cx.row(word).name);
        quote!(::core::mem::offset_of!(#layout, #field))
    }));
    let size = option(if in_bits {
        Some(quote!(0))
    } else {
        is_run.then(|| cx.inner_size(index))
    });
    let bits = option(row.keys.bits.map(|(low, high)| {
        let word = cx.number(word);
        quote!(#describe::Bits { word: #word, low: #low, high: #high })
    }));
    let (since, until) = (
        row.keys.since.unwrap_or(0),
        row.keys.until.unwrap_or(u32::MAX),
    );
    let limit = |limit: &Option<TokenStream>| {
        option(
            limit
                .as_ref()
                .map(|limit| quote!((#limit) as ::core::primitive::i128)),
        )
    };
    let (min, max) = (limit(&row.keys.min), limit(&row.keys.max));
    let endian = endian(krate, cx.is_le(index));
    let rules = row.keys.checks.iter().map(rule_name);
    quote! {
        #describe::Row {
            name: #name, doc: #doc, ty: #ty, role: #role, in_value: #in_value, offset: #offset, size: #size,
            bits: #bits, presence: #presence, since: #since, until: #until, min: #min, max: #max, endian: #endian,
            rules: &[#(#rules),*],
        }
    }
}

/// What a rule in code is called: the last segment of its path, in words.
fn rule_name(path: &TokenStream) -> String {
    let path = path.to_string().replace(' ', "");
    path.rsplit("::").next().unwrap_or(&path).replace('_', " ")
}

fn ty(cx: &Context<'_>, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe::Type);
    match &row.ty.base {
        Base::Int(int) => {
            let (bytes, bits) = (int.bytes, int.bytes * 8);
            match row.keys.varint {
                Some(Varint::ZigZag) => quote!(#describe::Varint(#bits)),
                Some(Varint::Unsigned) => quote!(#describe::Uvarint(#bits)),
                None if int.signed => quote!(#describe::Int(#bytes)),
                None => quote!(#describe::Uint(#bytes)),
            }
        }
        Base::Bool => quote!(#describe::Bool),
        Base::Array(len) => quote!(#describe::Array(#len)),
        Base::Slice | Base::Bytes => quote!(#describe::Bytes),
        Base::Str | Base::String => quote!(#describe::Text),
        Base::Seq(ty) => quote!(#describe::Seq(|| <#ty as #krate::format::Format>::KIND)),
        Base::Path(ty) if row.keys.bits.is_some() => {
            quote!(#describe::Of(|| <#ty as #krate::format::Enumeration>::KIND))
        }
        Base::Path(ty) => quote!(#describe::Of(|| <#ty as #krate::format::Format>::KIND)),
    }
}

fn role(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let role = quote!(#describe::Role);
    let rows = |from: usize, to: usize| {
        let (from, to) = (cx.number(from), cx.number(to));
        quote!(#describe::Rows { from: #from, to: #to })
    };
    match &row.role {
        Role::Value => quote!(#role::Value),
        Role::Keep => quote!(#role::Keep),
        Role::Reserved => quote!(#role::Reserved),
        Role::Version => quote!(#role::Version),
        Role::Word => quote!(#role::Word),
        Role::Magic(expected) => {
            let bytes = cx.expected_bytes(index, expected);
            quote!(#role::Magic(#bytes))
        }
        Role::MustBe(number) => {
            let bytes = cx.number_bytes(index, number);
            quote!(#role::MustBe(#bytes))
        }
        Role::Len(_) => {
            let (from, to) = cx.links.rows[index].len_of.unwrap_or_default();
            let rows = rows(from, to);
            quote!(#role::Len(#rows))
        }
        Role::Count(_) => {
            let entries = cx.number(cx.links.rows[index].count_of.unwrap_or_default());
            quote!(#role::Count(#entries))
        }
        Role::Checksum(algorithm, _) => {
            let spans = cx.links.rows[index]
                .spans
                .iter()
                .map(|&(from, to)| rows(from, to));
            let algorithm = algorithm_of(krate, *algorithm);
            quote!(#role::Checksum(#algorithm, &[#(#spans),*]))
        }
    }
}

fn algorithm_of(krate: &TokenStream, algorithm: Algorithm) -> TokenStream {
    match algorithm {
        Algorithm::Crc32 => quote!(#krate::checksum::Algorithm::Crc32),
        Algorithm::Crc32c => quote!(#krate::checksum::Algorithm::Crc32c),
        Algorithm::Crc64 => quote!(#krate::checksum::Algorithm::Crc64),
    }
}

fn presence(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let presence = quote!(#krate::describe::Presence);
    if let Some(condition) = &row.keys.when {
        let text = condition.to_string();
        let (raw, version) = (local("raw"), local("version"));
        let bindings = cx.links.rows[index].when.iter().map(|&other| {
            let (name, row) = (&cx.row(other).name, cx.row(other));
            let number = quote!(#raw.get(#other).copied().unwrap_or(0));
            let value = match &row.ty.base {
                Base::Int(int) => {
                    let primitive = primitive(*int);
                    quote!(#number as #primitive)
                }
                Base::Bool => quote!(#number != 0),
                Base::Path(ty) => {
                    quote!(<#ty as #krate::format::Enumeration>::from_raw_any(#number))
                }
                _ => number,
            };
            quote!(let #name = #value;)
        });
        return quote!(#presence::When {
            text: #text,
            holds: |#raw: &[::core::primitive::u64], #version: ::core::primitive::u32| {
                let _ = (#raw, #version);
                #(#bindings)*
                #condition
            },
        });
    }
    if let Some(fixed) = row.keys.tag {
        return quote!(#presence::Tag { fixed: #fixed });
    }
    match cx.links.rows[index]
        .len_by
        .filter(|_| row.ty.optional && !row.is_versioned())
    {
        Some(len) => {
            let keys = &cx.row(len).keys;
            let (number, null, bias) = (
                cx.number(len),
                keys.null.unwrap_or(0),
                keys.bias.unwrap_or(0),
            );
            quote!(#presence::Null { len: #number, null: #null, bias: #bias })
        }
        None => quote!(#presence::Always),
    }
}

fn steps(cx: &Context<'_>) -> Vec<TokenStream> {
    let krate = &cx.krate;
    let check = quote!(#krate::describe::Check);
    let step = |row: usize, what: TokenStream| {
        let row = cx.number(row);
        quote!(#krate::describe::Step { row: #row, check: #what })
    };
    let mut out = vec![step(usize::MAX, quote!(#check::Short))];
    for scheduled in &cx.plan.acts {
        match scheduled.act {
            Act::Identity(row) => out.push(step(
                row,
                match cx.row(row).role {
                    Role::Magic(_) => quote!(#check::Magic),
                    Role::Version => quote!(#check::Version),
                    _ => quote!(#check::MustBe),
                },
            )),
            Act::Sum(row) => {
                if let Role::Checksum(algorithm, _) = cx.row(row).role {
                    let algorithm = algorithm_of(krate, algorithm);
                    out.push(step(row, quote!(#check::Checksum(#algorithm))));
                }
            }
            Act::Value(index) => {
                let row = cx.row(index);
                match &row.ty.base {
                    Base::Path(_) => out.push(step(index, quote!(#check::Known))),
                    base if base.is_text() => out.push(step(index, quote!(#check::Utf8))),
                    _ => {}
                }
                if row.keys.min.is_some() || row.keys.max.is_some() {
                    out.push(step(index, quote!(#check::Limit)));
                }
                for rule in row.keys.checks.iter().map(rule_name) {
                    out.push(step(index, quote!(#check::Rule(#rule))));
                }
            }
            Act::CountFits(row) => out.push(step(row, quote!(#check::Count))),
            Act::Bound(row) => out.push(step(row, quote!(#check::Fits))),
            Act::UsedUp(row) => out.push(step(row, quote!(#check::UsedUp))),
            Act::Locate(piece) => {
                let row = cx.plan.pieces[piece].rows[0];
                let is_seq = matches!(cx.row(row).ty.base, Base::Seq(_));
                out.push(step(row, quote!(#check::Fits)));
                if is_seq && !scheduled.hoisted {
                    out.push(step(row, quote!(#check::Entries)));
                }
            }
            Act::Recheck(piece) => {
                let row = cx.plan.pieces[piece].rows[0];
                let hoisted = cx
                    .plan
                    .acts
                    .iter()
                    .any(|done| done.act == Act::Locate(piece) && done.hoisted);
                if hoisted {
                    out.push(step(row, quote!(#check::Entries)));
                }
            }
            Act::Exact => out.push(step(usize::MAX, quote!(#check::Length))),
            Act::Leftover => out.push(step(usize::MAX, quote!(#check::Trailing))),
            Act::Rule(rule) => {
                let rule = rule_name(&cx.definition.keys.checks[rule]);
                out.push(step(usize::MAX, quote!(#check::Rule(#rule))));
            }
        }
    }
    out
}
