//! Instances that read, of every kind: the vectors, and what is nested in them.

use ondisk::Kind;
use ondisk::registry::Entry;
use ondisk::walk::{self, Field, Visitor, version_in, walk};

use crate::Harness;

/// An instance that reads.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub entry: &'static Entry,
    /// The version of its bytes, or the one that governs it; 0 where nothing has versions.
    pub version: u32,
    /// Name of its vector; with a number for what follows in it.
    pub vector: String,
    /// It stands inside another kind.
    pub nested: bool,
    pub bytes: Vec<u8>,
}

impl Instance {
    /// The name of its files: kind, version, vector.
    pub fn stem(&self) -> String {
        let vector = self.vector.replace('/', "_");
        let inside = if self.nested { "in-" } else { "" };
        match self.version {
            0 => format!(
                "{}-{inside}{vector}",
                ondisk::page::file_stem(self.entry.kind)
            ),
            version => format!(
                "{}-v{version}-{inside}{vector}",
                ondisk::page::file_stem(self.entry.kind)
            ),
        }
    }
}

impl Harness {
    /// Every part of a vector that reads, then the first nested instance of each kind and version.
    pub(crate) fn instances(&self) -> Vec<Instance> {
        let mut instances: Vec<Instance> = Vec::new();
        for vector in self.vectors.iter().filter(|vector| vector.is_ok()) {
            let mut rest = vector.bytes.as_slice();
            for (index, part) in vector.parts.iter().enumerate() {
                let Some(entry) = self.entry(&part.kind) else {
                    continue;
                };
                let Ok(used) = entry.open(rest, part.version) else {
                    continue;
                };
                // What a whole kind ignores belongs to it.
                let (bytes, behind) =
                    rest.split_at(if entry.kind.whole { rest.len() } else { used });
                instances.push(Instance {
                    entry,
                    version: version_of(entry.kind, bytes, part.version),
                    vector: match index {
                        0 => vector.name.clone(),
                        index => format!("{}+{index}", vector.name),
                    },
                    nested: false,
                    bytes: bytes.to_vec(),
                });
                rest = behind;
            }
        }
        let nested: Vec<Instance> = instances
            .iter()
            .flat_map(|instance| self.nested(instance))
            .collect();
        for instance in nested {
            let same = |known: &Instance| {
                known.entry.kind == instance.entry.kind && known.version == instance.version
            };
            if !instances.iter().any(same) {
                instances.push(instance);
            }
        }
        instances
    }

    fn nested(&self, outer: &Instance) -> Vec<Instance> {
        struct Find<'h> {
            harness: &'h Harness,
            outer: &'h Instance,
            found: Vec<Instance>,
        }

        impl<'a> Visitor<'a> for Find<'_> {
            fn field(&mut self, _: &Field<'a>) {}

            fn leave(&mut self, instance: &walk::Instance) {
                let (Some(end), 1..) = (instance.end, instance.depth) else {
                    return;
                };
                let Some(entry) = self.harness.entry(instance.kind.name) else {
                    return;
                };
                let bytes = self.outer.bytes[instance.start..end].to_vec();
                self.found.push(Instance {
                    entry,
                    version: version_of(entry.kind, &bytes, instance.version),
                    vector: self.outer.vector.clone(),
                    nested: true,
                    bytes,
                });
            }
        }

        let mut find = Find {
            harness: self,
            outer,
            found: Vec::new(),
        };
        // An instance that reads can be walked.
        let _ = walk(outer.entry.kind, &outer.bytes, outer.version, &mut find);
        find.found
    }
}

/// The version of an instance: the one in its bytes, the only one that there is, or the one that governs it.
pub(crate) fn version_of(kind: &'static Kind, bytes: &[u8], outside: u32) -> u32 {
    let versions = kind.read_range();
    match (kind.version_of, versions.start() == versions.end()) {
        (Some(_), _) => outside,
        (None, true) => *versions.start(),
        (None, false) => version_in(kind, bytes).unwrap_or(0),
    }
}
