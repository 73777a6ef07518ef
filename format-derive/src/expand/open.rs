//! `Format::open`: the reader.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, input_lifetime, local};
use crate::model::Role;
use crate::plan::{Act, Scheduled};

/// The impls of `Format`, and of `Fixed` where all rows are fixed.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let life = input_lifetime();
    let life_tokens = quote!(#life);
    let view = cx.view_name();
    let value = cx.value_type(&life_tokens);
    let kind = super::describe::expand(cx);
    let least = (0..cx.plan.pieces.len()).map(|piece| cx.least(piece));
    let fixed = cx.plan.is_fixed();
    let size = if fixed {
        quote!(::core::option::Option::Some(Self::MIN))
    } else {
        quote!(::core::option::Option::None)
    };
    let depth = depth(cx);
    let versioned = cx
        .definition
        .keys
        .version_of
        .clone()
        .unwrap_or_else(|| quote!(Self));
    let (input, at, context) = (local("input"), local("at"), local("cx"));
    let body = if fixed { fixed_body(cx) } else { body(cx) };
    let fixed_impl = if fixed {
        fixed_impl(cx)
    } else {
        TokenStream::new()
    };
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, unused_comparisons, unused_variables)]
        impl #generics #krate::format::Format for #implementor {
            type View<#life> = #view<#life>;
            type Value<#life> = #value;
            type Versioned = #versioned;
            const KIND: &'static #krate::Kind = #kind;
            const MIN: ::core::primitive::usize = 0 #(+ #least)*;
            const SIZE: ::core::option::Option<::core::primitive::usize> = #size;
            const DEPTH: ::core::primitive::usize = #depth;

            #[inline]
            fn open<#life, E: #krate::Fail, const LEVEL: ::core::primitive::u8>(
                #input: &#life [::core::primitive::u8],
                #at: ::core::primitive::usize,
                #context: #krate::format::Cx,
            ) -> ::core::result::Result<(#view<#life>, ::core::primitive::usize), E> {
                #body
            }

            fn value<#life>(
                view: <Self as #krate::format::Format>::View<#life>,
            ) -> <Self as #krate::format::Format>::Value<#life> {
                view.to_value()
            }
        }
        #fixed_impl
    }
}

fn depth(cx: &Context<'_>) -> TokenStream {
    use crate::model::Base;
    let krate = &cx.krate;
    let nested = cx.rows().filter_map(|(_, row)| match &row.ty.base {
        Base::Seq(ty) => Some(ty),
        Base::Path(ty) if row.keys.bits.is_none() => Some(ty),
        _ => None,
    });
    let steps = nested.map(|ty| {
        quote! {
            if <#ty as #krate::format::Format>::DEPTH >= depth {
                depth = 1 + <#ty as #krate::format::Format>::DEPTH;
            }
        }
    });
    quote!({
        #[allow(unused_mut)]
        let mut depth = 0;
        #(#steps)*
        depth
    })
}

/// The check that all that is always there, is there; what is at hand is bound.
fn heads(cx: &Context<'_>) -> TokenStream {
    let (private, zerocopy) = (cx.private(), cx.zerocopy());
    let (input, at, context, end) = (local("input"), local("at"), local("cx"), local("end"));
    let short = quote! {
        return ::core::result::Result::Err(#private::short::<E>(
            <Self as #private::Format>::KIND,
            ::core::primitive::u16::MAX,
            #at,
            <Self as #private::Format>::MIN as ::core::primitive::u64,
            #input.len(),
            #context.closed,
        ))
    };
    let mut out = TokenStream::new();
    if cx.plan.pieces.len() > 1 || !cx.plan.has_head() {
        out.extend(quote!(if #input.len() < <Self as #private::Format>::MIN { #short; }));
    }
    if cx.plan.has_head() {
        let (layout, run, next) = (cx.layout_name(0), cx.run(0), cx.start(1));
        out.extend(quote! {
            let ::core::result::Result::Ok((#run, _)) = <#layout as #zerocopy::FromBytes>::ref_from_prefix(#input)
                else { #short };
            let #next = ::core::mem::size_of::<#layout>();
        });
    }
    match cx.plan.foot() {
        Some(foot) => {
            let (layout, run) = (cx.layout_name(foot), cx.run(foot));
            out.extend(quote! {
                let ::core::result::Result::Ok((_, #run)) = <#layout as #zerocopy::FromBytes>::ref_from_suffix(#input)
                    else { #short };
                let #end = #input.len() - ::core::mem::size_of::<#layout>();
            });
        }
        None => out.extend(quote!(let #end = #input.len();)),
    }
    out
}

/// The version row takes over from what the caller said.
fn version(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let Some((index, _)) = cx.rows().find(|(_, row)| matches!(row.role, Role::Version)) else {
        return TokenStream::new();
    };
    let (get, context) = (cx.get(index, None), local("cx"));
    quote!(let #context = #krate::format::Cx { version: #get as ::core::primitive::u32, ..#context };)
}

fn acts(cx: &Context<'_>) -> TokenStream {
    let (mut out, mut done, mut sums) = (TokenStream::new(), Vec::<Scheduled>::new(), Vec::new());
    for scheduled in &cx.plan.acts {
        out.extend(act(cx, *scheduled, &done, &sums));
        if let Act::Sum(row) = scheduled.act {
            sums.push(row);
        }
        done.push(*scheduled);
    }
    out
}

fn act(cx: &Context<'_>, scheduled: Scheduled, done: &[Scheduled], sums: &[usize]) -> TokenStream {
    let krate = &cx.krate;
    let (input, context) = (local("input"), local("cx"));
    let life = input_lifetime();
    let life = quote!(#life);
    let code = match scheduled.act {
        // What finds positions is needed at every level.
        Act::Locate(piece) => return cx.locate(piece, done, scheduled.hoisted),
        Act::Bound(len) => return cx.find_bound(len, done),
        Act::Identity(row) => cx.identity(row),
        Act::Sum(row) => {
            let check = cx.sum_check(row, sums);
            quote!({ #check })
        }
        Act::Value(row) => {
            let (checks, rules) = (cx.value_checks(row), cx.value_rules(row));
            let checks = at_level(cx, scheduled, &checks);
            if rules.is_empty() {
                return checks;
            }
            let level = level(cx, scheduled);
            return quote!(#checks if LEVEL >= #level || LEVEL == #krate::format::RULES { #rules });
        }
        Act::UsedUp(len) => cx.used_up(len),
        Act::CountFits(count) => {
            let Some(entries) = cx.links.rows[count].count_of else {
                return TokenStream::new();
            };
            let crate::model::Base::Seq(ty) = &cx.row(entries).ty.base else {
                return TokenStream::new();
            };
            let ty = cx.relocate(ty, &life);
            let around = cx.surroundings(entries, done);
            let (place, number, closed) = (
                cx.seq_place(entries, &around),
                cx.length(count),
                &around.closed,
            );
            quote!(#krate::Seq::<#ty>::count_fits::<E>(#place, #number, #context.nested(#closed))?;)
        }
        Act::Recheck(piece) => {
            let row = cx.plan.pieces[piece].rows[0];
            let crate::model::Base::Seq(ty) = &cx.row(row).ty.base else {
                return TokenStream::new();
            };
            let ty = cx.relocate(ty, &life);
            let hoisted = done
                .iter()
                .any(|done| done.act == Act::Locate(piece) && done.hoisted);
            if !hoisted {
                return TokenStream::new();
            }
            let (variable, start, at) = (cx.variable(row), cx.position(row), local("at"));
            let (seq, some) = (local("seq"), cx.may_be_absent(row));
            let check = quote!(#krate::Seq::<#ty>::check::<E>(&#seq, #at.saturating_add(#start))?;);
            if some {
                quote!(if let ::core::option::Option::Some(#seq) = #variable { #check })
            } else {
                quote!({ let #seq = #variable; #check })
            }
        }
        Act::Exact => {
            let behind = local("behind");
            let position = behind_all(cx);
            let fail = cx.fail_at(usize::MAX, &quote!(#behind), &quote!(#krate::Fault::Length {
                expected: #behind as ::core::primitive::u64, found: #input.len() as ::core::primitive::u64,
            }));
            quote!({ let #behind = #position; if #input.len() != #behind { #fail; } })
        }
        Act::Leftover => {
            let behind = local("behind");
            let (front, end) = (cx.start(cx.plan.front()), local("end"));
            let fail = cx.fail_at(
                usize::MAX,
                &quote!(#behind),
                &quote!(#krate::Fault::Trailing {
                    left: (#end - #behind) as ::core::primitive::u64,
                }),
            );
            quote!({ let #behind = #front; if #behind < #end { #fail; } })
        }
        Act::Rule(_) => return TokenStream::new(),
    };
    at_level(cx, scheduled, &code)
}

/// The level from which on a check is made.
fn level(cx: &Context<'_>, scheduled: Scheduled) -> TokenStream {
    let krate = &cx.krate;
    if scheduled.walks {
        quote!(#krate::format::WALK)
    } else {
        quote!(#krate::format::FULL)
    }
}

fn at_level(cx: &Context<'_>, scheduled: Scheduled, code: &TokenStream) -> TokenStream {
    if code.is_empty() {
        return TokenStream::new();
    }
    let level = level(cx, scheduled);
    quote!(if LEVEL >= #level { #code })
}

/// Where the instance ends by its own fields.
fn behind_all(cx: &Context<'_>) -> TokenStream {
    let front = cx.start(cx.plan.front());
    match cx.plan.foot() {
        Some(foot) => {
            let size = cx.least(foot);
            quote!((#front + #size))
        }
        None => quote!(#front),
    }
}

fn rules(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (view, fault) = (local("view"), local("fault"));
    let fail = cx.fail_at(usize::MAX, &quote!(0usize), &quote!(#fault));
    let calls = cx.definition.keys.checks.iter().map(|check| {
        quote! {
            if (LEVEL >= #krate::format::FULL || LEVEL == #krate::format::RULES)
                && let ::core::result::Result::Err(#fault) = #check(&#view) { #fail; }
        }
    });
    quote!(#(#calls)*)
}

fn body(cx: &Context<'_>) -> TokenStream {
    let (input, view) = (local("input"), local("view"));
    let (heads, version, acts, rules) = (heads(cx), version(cx), acts(cx), rules(cx));
    let build = super::view::build(cx);
    let used = if cx.definition.keys.is_whole() {
        quote!(#input.len())
    } else {
        let front = cx.start(cx.plan.front());
        quote!(#front)
    };
    quote! {
        #heads
        #version
        #acts
        let #view = #build;
        #rules
        ::core::result::Result::Ok((#view, #used))
    }
}

fn fixed_body(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (input, at, context) = (local("input"), local("at"), local("cx"));
    let heads = heads(cx);
    let run = cx.run(0);
    let exact = cx
        .plan
        .acts
        .iter()
        .find(|done| done.act == Act::Exact)
        .map(|done| act(cx, *done, &[], &[]));
    let view = super::view::build(cx);
    let used = if cx.definition.keys.is_whole() {
        quote!(#input.len())
    } else {
        quote!(<Self as #krate::format::Format>::MIN)
    };
    quote! {
        #heads
        #exact
        <Self as #krate::format::Fixed>::check::<E, LEVEL>(#run, #at, #context)?;
        ::core::result::Result::Ok((#view, #used))
    }
}

fn fixed_impl(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let (layout, run, view_name) = (cx.layout_name(0), cx.run(0), cx.view_name());
    let (at, context, view) = (local("at"), local("cx"), local("view"));
    let version = version(cx);
    let mut sums = Vec::new();
    let mut checks = TokenStream::new();
    for scheduled in cx.plan.acts.iter().filter(|done| done.act != Act::Exact) {
        checks.extend(act(cx, *scheduled, &[], &sums));
        if let Act::Sum(row) = scheduled.act {
            sums.push(row);
        }
    }
    let rules = rules(cx);
    let rules = if rules.is_empty() {
        rules
    } else {
        let build = super::view::build(cx);
        quote!(let #view = #build; #rules)
    };
    let lay = super::encode::lay(cx);
    let life = input_lifetime();
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, unused_comparisons, unused_variables)]
        impl #generics #krate::format::Fixed for #implementor {
            type Layout = #layout;

            #[inline]
            fn check<E: #krate::Fail, const LEVEL: ::core::primitive::u8>(
                #run: &#layout,
                #at: ::core::primitive::usize,
                #context: #krate::format::Cx,
            ) -> ::core::result::Result<(), E> {
                #version
                #checks
                #rules
                ::core::result::Result::Ok(())
            }

            #[inline]
            fn look<#life>(#run: &#life #layout) -> #view_name<#life> {
                #view_name { #run }
            }

            #lay
        }
    }
}
