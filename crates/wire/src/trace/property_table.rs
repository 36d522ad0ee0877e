//! The hash table of system properties. Each property is a location of its own,
//! so what happens to the table says nothing more: keys that share a place in
//! it would only seem to depend on each other.

use residue_model::trace::{FoundThrough, LocationName, Object, Trace};

const TABLE: &str = "java.util.concurrent.ConcurrentHashMap";

/// Drops what epochs did to the table, and nothing that is kept in it.
pub(super) fn leave_out(trace: &mut Trace) {
    let parts = parts(&trace.objects);
    if !parts.contains(&true) {
        return;
    }
    let is_part = |name: &LocationName| {
        name.holder().is_some_and(|object| parts.get(object.index()) == Some(&true))
    };
    let dropped: Vec<bool> =
        trace.locations.iter().map(|location| is_part(&location.name)).collect();
    for epoch in &mut trace.epochs {
        epoch.reads.retain(|read| !dropped[read.location.index()]);
        epoch.writes.retain(|write| !dropped[write.location.index()]);
    }
    trace.contents.retain(|content| !is_part(&content.location));
    for location in trace.locations.iter_mut().filter(|location| is_part(&location.name)) {
        location.creator = None;
    }
}

/// Of each object, whether it is a part of the table.
fn parts(objects: &[Object]) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; objects.len()];
    for object in 0..objects.len() {
        let mut way = vec![object];
        let is_part = loop {
            let here = way[way.len() - 1];
            if let Some(known) = known[here] {
                break known;
            }
            if !objects[here].class.starts_with(TABLE) {
                break false;
            }
            let FoundThrough::Location(outer) = &objects[here].found_through else { break false };
            match outer.holder() {
                Some(holder) if is_map_of_properties(outer, &objects[holder.index()]) => {
                    break true;
                }
                // A circle is a mistake of the trace.
                Some(holder) if way.len() <= objects.len() => way.push(holder.index()),
                _ => break false,
            }
        };
        for passed in way {
            known[passed] = Some(is_part);
        }
    }
    known.into_iter().map(|known| known == Some(true)).collect()
}

fn is_map_of_properties(location: &LocationName, holder: &Object) -> bool {
    let is_map = matches!(location, LocationName::Field { class, field, .. }
        if &**class == "java.util.Properties" && &**field == "map");
    let are_of_system = matches!(&holder.found_through,
        FoundThrough::Location(LocationName::StaticField { class, field })
            if &**class == "java.lang.System" && &**field == "props");
    is_map && are_of_system
}
