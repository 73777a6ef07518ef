//! What names are made of: the components of a key, readable and hashed.

use alloc::string::String;
use core::fmt::Write as _;

use super::fnv::Fnv1a;
use super::readable;

/// Tenant, namespace and stream of a key, in this order.
pub(super) struct Components<'a>(pub(super) [&'a str; 3]);

impl Components<'_> {
    /// `R(tenant)_R(namespace)_R(stream)_<shard>-<hash16>`, and `-<incarnation16>` unless that is 0.
    pub(super) fn directory_name(&self, shard: u32, incarnation: u64) -> String {
        let mut name = self.readable();
        let mut hash = Fnv1a::new();
        self.hash_input(Some(shard), |bytes| hash.write(bytes));
        append(&mut name, format_args!("_{shard}-{:016x}", hash.finish()));
        if incarnation != 0 {
            append(&mut name, format_args!("-{incarnation:016x}"));
        }
        name
    }

    /// `R(tenant)_R(namespace)_R(stream)-<hash16>`; the hash leaves the shard out.
    pub(super) fn marker_name(&self) -> String {
        let mut name = self.readable();
        let mut hash = Fnv1a::new();
        self.hash_input(None, |bytes| hash.write(bytes));
        append(&mut name, format_args!("-{:016x}", hash.finish()));
        name
    }

    fn readable(&self) -> String {
        let mut name = String::new();
        for (place, component) in self.0.iter().enumerate() {
            if place > 0 {
                name.push('_');
            }
            readable::push(&mut name, component);
        }
        name
    }

    /// Each component with its length in front, so that no two keys have the same input, then the shard.
    fn hash_input(&self, shard: Option<u32>, mut sink: impl FnMut(&[u8])) {
        for component in self.0 {
            sink(&(component.len() as u64).to_be_bytes());
            sink(component.as_bytes());
        }
        if let Some(shard) = shard {
            sink(&shard.to_be_bytes());
        }
    }
}

fn append(name: &mut String, part: core::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = name.write_fmt(part);
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::Components;

    const ORDERS: Components<'_> = Components(["acme", "default", "orders"]);

    /// V-HASHIN.
    #[test]
    fn hash_input() {
        let mut input = Vec::new();
        ORDERS.hash_input(Some(0), |bytes| input.extend_from_slice(bytes));
        let mut expected = Vec::new();
        for part in [
            &[0, 0, 0, 0, 0, 0, 0, 4][..],
            b"acme",
            &[0, 0, 0, 0, 0, 0, 0, 7],
            b"default",
            &[0, 0, 0, 0, 0, 0, 0, 6],
            b"orders",
            &[0, 0, 0, 0],
        ] {
            expected.extend_from_slice(part);
        }
        assert_eq!(input, expected);
    }

    /// V-NAME-*.
    #[test]
    fn directory_names() {
        let mut long = "a".repeat(31);
        long.push_str("étail");
        for (components, shard, incarnation, expected) in [
            (ORDERS, 0, 0, "acme_default_orders_0-0d3aed4b998d2798"),
            (ORDERS, 3, 0, "acme_default_orders_3-0d3af04b998d2cb1"),
            (
                ORDERS,
                0,
                0x0006_411a_0ccf_2e40,
                "acme_default_orders_0-0d3aed4b998d2798-0006411a0ccf2e40",
            ),
            (Components(["", "", ""]), 0, 0, "______0-17d9c15239d081d5"),
            (
                Components(["a.b", "../x", "café_é"]),
                7,
                0,
                "a_b____x_caf____7-e18adcb61060ff42",
            ),
            (
                Components(["acme", "default", &long]),
                u32::MAX,
                0,
                "acme_default_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__4294967295-12626ead9675d3d7",
            ),
        ] {
            assert_eq!(components.directory_name(shard, incarnation), expected);
        }
    }

    /// V-MK-NAME.
    #[test]
    fn marker_names() {
        assert_eq!(ORDERS.marker_name(), "acme_default_orders-fcb9248e5af0da18");
    }

    #[test]
    fn longest_name() {
        let component = "x".repeat(100);
        let name: String = Components([&component; 3]).directory_name(u32::MAX, u64::MAX);
        assert_eq!(name.len(), 143);
    }

    #[test]
    fn components_do_not_run_together() {
        let names = [
            ["ab", "", "c"],
            ["a", "b", "c"],
            ["", "ab", "c"],
            ["ab_", "c", ""],
            ["ab", "_c", ""],
        ]
        .map(|components| Components(components).marker_name());
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{name}");
        }
    }
}
