//! Versions that are not read, refused by number.

use ondisk::Fault;
use ondisk::describe::{Endian, Role, Shape};
use ondisk::repair::repair;
use ondisk::walk::{Field, Visitor, walk};

use crate::Harness;
use crate::instances::Instance;
use crate::problems::Problems;
use crate::snapshots::Table;

impl Harness {
    /// Every kind refuses the versions around its read range, and far above, naming what it reads.
    ///
    /// # Panics
    /// With the versions that were not refused, or for another reason.
    pub fn other_versions_are_refused(&self) {
        let (mut problems, mut table) = (Problems::default(), Table::default());
        let instances = self.instances();
        for entry in self.entries {
            let Some(versions) = &entry.kind.versions else {
                continue;
            };
            let (min, max) = (versions.min, versions.max);
            let name = entry.kind.name;
            let mine = |instance: &&Instance| instance.entry.kind == entry.kind;
            let rows = matches!(entry.kind.shape, Shape::Rows(_));
            // The codec of a text is written by hand; where its version stands, only that knows.
            let Some(instance) = instances.iter().find(mine).filter(|_| rows) else {
                continue;
            };
            let mut refused = Vec::new();
            for found in (0..min).chain([max + 1, max + 2, u32::from(u8::MAX), u32::from(u16::MAX)])
            {
                let Some(bytes) = with_version(instance, found) else {
                    continue;
                };
                match entry.open(&bytes, 0) {
                    Err(error) if error.fault() == (Fault::Version { found, min, max }) => {
                        refused.push(found.to_string());
                    }
                    Err(error) => problems.add(format!("{name} version {found}: {error}")),
                    Ok(_) => problems.add(format!("{name} version {found} is read")),
                }
            }
            table.row(
                name,
                format!("reads {min} to {max}, writes {}", versions.writes),
            );
            for gate in versions.gates {
                table.row(
                    name,
                    format!("writes {} with {}", gate.version, gate.feature),
                );
            }
            table.row(name, format!("refuses {}", refused.join(", ")));
        }
        self.pin("versions", &table.show(), &mut problems);
        problems.report();
    }
}

/// The bytes with another version and right checksums; none where the version row cannot hold it.
fn with_version(instance: &Instance, version: u32) -> Option<Vec<u8>> {
    struct Find(Option<(std::ops::Range<usize>, Endian)>);

    impl<'a> Visitor<'a> for Find {
        fn field(&mut self, field: &Field<'a>) {
            if let (Role::Version, 0) = (field.row.role, field.depth) {
                self.0 = Some((field.range.clone(), field.row.endian));
            }
        }
    }

    let mut find = Find(None);
    walk(
        instance.entry.kind,
        &instance.bytes,
        instance.version,
        &mut find,
    )
    .ok()?;
    let (range, endian) = find.0?;
    let mut bytes = instance.bytes.clone();
    let slot = bytes.get_mut(range)?;
    if slot.len() < 4 && version >> (8 * slot.len()) != 0 {
        return None;
    }
    let big = u64::from(version).to_be_bytes();
    slot.copy_from_slice(&big[8 - slot.len()..]);
    if endian == Endian::Little {
        slot.reverse();
    }
    repair(instance.entry.kind, &mut bytes, instance.version);
    Some(bytes)
}
