//! Mistakes in a definition, collected so that all of them are reported at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics(Vec<(Span, String)>);

impl Diagnostics {
    /// Reports a mistake at a span.
    pub(crate) fn at(&mut self, span: Span, message: impl Into<String>) {
        self.0.push((span, message.into()));
    }

    /// Takes over what `syn` says.
    pub(crate) fn syn(&mut self, error: &syn::Error) {
        for error in error.clone() {
            self.at(error.span(), error.to_string());
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The messages alone.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|(_, message)| message.as_str()).collect()
    }

    /// One `compile_error!` a mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0
            .into_iter()
            .map(|(span, message)| quote_spanned!(span=> ::core::compile_error! { #message }))
            .collect()
    }
}
