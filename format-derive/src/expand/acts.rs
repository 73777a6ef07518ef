//! What a reader does, in the order of the plan.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, unsigned};
use crate::model::{Base, Role};
use crate::plan::{Act, Scheduled};

impl Context<'_> {
    /// The code of all acts that `include` takes.
    pub(super) fn acts(&self, include: impl Fn(Act) -> bool) -> TokenStream {
        let (mut out, mut done) = (TokenStream::new(), Vec::<Scheduled>::new());
        for scheduled in self.plan.acts.iter().filter(|done| include(done.act)) {
            out.extend(self.act(*scheduled, &done));
            done.push(*scheduled);
        }
        out
    }

    fn act(&self, scheduled: Scheduled, done: &[Scheduled]) -> TokenStream {
        let krate = &self.krate;
        let code = match scheduled.act {
            // What finds positions is needed at every level.
            Act::Locate(piece) => return self.locate(piece, done, scheduled.hoisted),
            Act::Bound(len) => return self.find_bound(len, done),
            Act::Rule(_) => return TokenStream::new(),
            Act::Identity(row) => self.identity(row),
            Act::Sum(row) => self.sum_check(row, done, scheduled),
            Act::Value(row) => {
                let checks = self.at_level(scheduled, &self.value_checks(row));
                let rules = self.value_rules(row);
                if rules.is_empty() {
                    return checks;
                }
                // Of the checks of a writer's own bytes, these alone can fail.
                let level = self.level(scheduled);
                return quote! {
                    #checks
                    if __LEVEL >= #level || __LEVEL == #krate::format::RULES { #rules }
                };
            }
            Act::UsedUp(len) => self.used_up(len),
            Act::CountFits(count) => self.count_fits(count, done),
            Act::Recheck(piece) => self.recheck(piece, done),
            Act::Exact => self.exact(),
            Act::Leftover => self.leftover(),
        };
        self.at_level(scheduled, &code)
    }

    /// The level from which on a check is made.
    fn level(&self, scheduled: Scheduled) -> TokenStream {
        let krate = &self.krate;
        if scheduled.walks {
            quote!(#krate::format::WALK)
        } else {
            quote!(#krate::format::FULL)
        }
    }

    fn at_level(&self, scheduled: Scheduled, code: &TokenStream) -> TokenStream {
        if code.is_empty() {
            return TokenStream::new();
        }
        let level = self.level(scheduled);
        quote!(if __LEVEL >= #level { #code })
    }

    /// The input ends where its fields say.
    fn exact(&self) -> TokenStream {
        let krate = &self.krate;
        let front = self.start(self.plan.front());
        let behind = match self.plan.foot() {
            Some(foot) => {
                let size = self.least(foot);
                quote!((#front + #size))
            }
            None => quote!(#front),
        };
        let fail = self.fail_at(usize::MAX, &quote!(__behind), &quote!(#krate::Fault::Length {
            expected: __behind as ::core::primitive::u64, found: __input.len() as ::core::primitive::u64,
        }));
        quote!({ let __behind = #behind; if __input.len() != __behind { #fail; } })
    }

    /// Nothing is left behind the last row.
    fn leftover(&self) -> TokenStream {
        let krate = &self.krate;
        let front = self.start(self.plan.front());
        let fail = self.fail_at(
            usize::MAX,
            &quote!(#front),
            &quote!(#krate::Fault::Trailing {
                left: (__end - #front) as ::core::primitive::u64,
            }),
        );
        quote!(if #front < __end { #fail; })
    }

    /// The version row takes over from what the caller said.
    pub(super) fn version(&self) -> TokenStream {
        let krate = &self.krate;
        let version = self
            .rows()
            .find(|(_, row)| matches!(row.role, Role::Version));
        let Some((index, _)) = version else {
            return TokenStream::new();
        };
        let get = self.get(index, None);
        let unsigned = match self.row(index).ty.base {
            Base::Int(int) => unsigned(int),
            _ => quote!(::core::primitive::u32),
        };
        quote! {
            let __cx = #krate::format::Cx { version: #get as #unsigned as ::core::primitive::u32, ..__cx };
        }
    }

    /// The rules in code, over the view.
    pub(super) fn view_rules(&self) -> TokenStream {
        let krate = &self.krate;
        let fail = self.fail_at(usize::MAX, &quote!(0usize), &quote!(__fault));
        let calls = self.definition.keys.checks.iter().map(|check| {
            quote! {
                if (__LEVEL >= #krate::format::FULL || __LEVEL == #krate::format::RULES)
                    && let ::core::result::Result::Err(__fault) = #check(&__view)
                {
                    #fail;
                }
            }
        });
        quote!(#(#calls)*)
    }
}

/// The checksums that were compared before one, at every level that compares it: what they say of a shared prefix holds.
pub(super) fn sums_for(done: &[Scheduled], of: Scheduled) -> Vec<usize> {
    let compared = done.iter().filter(|done| done.walks || !of.walks);
    compared
        .filter_map(|done| match done.act {
            Act::Sum(row) => Some(row),
            _ => None,
        })
        .collect()
}
