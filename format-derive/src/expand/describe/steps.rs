//! The checks of a reader, in the order of the plan.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::Context;
use super::{algorithm_of, rule_name};
use crate::model::{Base, Role};
use crate::plan::{Act, Scheduled, refuses_negative};

/// `Step { .. }` each.
pub(super) fn expand(cx: &Context<'_>) -> Vec<TokenStream> {
    let krate = &cx.krate;
    let acts = cx.plan.acts.iter();
    let checks = acts.flat_map(|scheduled| checks(cx, *scheduled));
    let short = (usize::MAX, quote!(Short));
    let steps = core::iter::once(short).chain(checks);
    steps
        .map(|(row, check)| {
            let row = cx.number(row);
            quote! {
                #krate::describe::Step { row: #row, check: #krate::describe::Check::#check }
            }
        })
        .collect()
}

/// What an act checks, and about which row.
fn checks(cx: &Context<'_>, scheduled: Scheduled) -> Vec<(usize, TokenStream)> {
    match scheduled.act {
        Act::Identity(row) => vec![(
            row,
            match cx.row(row).role {
                Role::Magic(_) => quote!(Magic),
                Role::Version => quote!(Version),
                _ => quote!(MustBe),
            },
        )],
        Act::Sum(row) => match cx.row(row).role {
            Role::Checksum(algorithm, _) => {
                let algorithm = algorithm_of(&cx.krate, algorithm);
                vec![(row, quote!(Checksum(#algorithm)))]
            }
            _ => Vec::new(),
        },
        Act::Value(row) => values(cx, row),
        Act::CountFits(row) => vec![(row, quote!(Count))],
        Act::Bound(row) => vec![(row, quote!(Fits))],
        Act::UsedUp(row) => vec![(row, quote!(UsedUp))],
        Act::Locate(piece) => {
            let row = cx.plan.pieces[piece].rows[0];
            let mut out = vec![(row, quote!(Fits))];
            if !scheduled.hoisted {
                out.extend(instances(cx, row));
            }
            out
        }
        Act::Recheck(piece) => {
            let row = cx.plan.pieces[piece].rows[0];
            let mut acts = cx.plan.acts.iter();
            let hoisted = acts.any(|done| done.act == Act::Locate(piece) && done.hoisted);
            instances(cx, row).into_iter().filter(|_| hoisted).collect()
        }
        Act::Exact => vec![(usize::MAX, quote!(Length))],
        Act::Leftover => vec![(usize::MAX, quote!(Trailing))],
        Act::Rule(rule) => {
            let rule = rule_name(&cx.definition.keys.checks[rule]);
            vec![(usize::MAX, quote!(Rule(#rule)))]
        }
    }
}

/// The checks of a row's value.
fn values(cx: &Context<'_>, index: usize) -> Vec<(usize, TokenStream)> {
    let row = cx.row(index);
    let mut out = Vec::new();
    match &row.ty.base {
        // An instance of variable size has a turn of its own.
        Base::Path(_) if row.is_bits() || cx.is_in_run(index) => out.push((index, quote!(Known))),
        base if base.is_text() => out.push((index, quote!(Utf8))),
        _ => {}
    }
    if row.keys.min.is_some() || row.keys.max.is_some() || refuses_negative(row) {
        out.push((index, quote!(Limit)));
    }
    for rule in row.keys.checks.iter().map(rule_name) {
        out.push((index, quote!(Rule(#rule))));
    }
    out
}

/// The checks of the instances in a row by their own kind.
fn instances(cx: &Context<'_>, index: usize) -> Option<(usize, TokenStream)> {
    let row = cx.row(index);
    match row.ty.base {
        Base::Seq(_) => Some((index, quote!(Entries))),
        Base::Path(_) if row.is_kind() && !cx.is_in_run(index) => Some((index, quote!(Known))),
        _ => None,
    }
}
