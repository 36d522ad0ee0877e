//! Which locations are part of a table: elements of an array, and what is inside
//! those.
//!
//! In which slot of a hash table an entry is, and behind which others, may go by
//! addresses or by what came before. Then no forecast holds for any slot of it,
//! so all of them are judged together.

use std::collections::HashMap;

use residue_detect::Location;
use residue_model::trace::{FoundThrough, LocationId, LocationName, ObjectId, Trace};

use crate::location_names::{LocationNames, Named};

/// The table of each location that is part of one: the innermost array around
/// it, by the way there.
pub(crate) fn tables<'a>(
    trace: &Trace,
    names: &LocationNames<'_>,
    named: impl Fn(LocationId) -> &'a [Named],
) -> HashMap<Location, Location> {
    let mut around = Around { trace, known: HashMap::new() };
    let mut tables = HashMap::new();
    for (id, location) in (0..).map(LocationId).zip(&trace.locations) {
        let Some(array) = around.of(&location.name) else { continue };
        let table = Location(names.way(array));
        tables.extend(named(id).iter().map(|one| (one.location, table)));
    }
    tables
}

struct Around<'a> {
    trace: &'a Trace,
    /// The innermost array around objects.
    known: HashMap<ObjectId, Option<ObjectId>>,
}

impl Around<'_> {
    /// A loop, since lists are as long as they like.
    fn of(&mut self, location: &LocationName) -> Option<ObjectId> {
        let mut way = Vec::new();
        let mut here = location;
        let array = loop {
            let holder = match here {
                LocationName::Elements { object, .. } => break Some(*object),
                other => match other.holder() {
                    Some(holder) => holder,
                    None => break None,
                },
            };
            if let Some(known) = self.known.get(&holder) {
                break *known;
            }
            // A circle would be a mistake of the trace.
            self.known.insert(holder, None);
            way.push(holder);
            match &self.trace.object(holder).found_through {
                FoundThrough::Location(outer) => here = outer,
                FoundThrough::Thread(_) | FoundThrough::Unknown => break None,
            }
        };
        self.known.extend(way.into_iter().map(|object| (object, array)));
        array
    }
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{self, Object};

    use super::*;

    #[test]
    fn entries_and_what_is_inside_them_are_part_of_the_table_around_them() {
        let root = LocationName::StaticField { class: "a.S".into(), field: "table".into() };
        let slot =
            |index| LocationName::Elements { object: ObjectId(0), first: index, last: index };
        let field = |object, field: &str| LocationName::Field {
            object: ObjectId(object),
            class: "a.Node".into(),
            field: field.into(),
        };
        let object = |id, found| Object {
            id,
            class: "a.Node".into(),
            length: (id == 10).then_some(16),
            creator: None,
            found_through: FoundThrough::Location(found),
        };
        let locations = [root.clone(), slot(3), slot(9), field(1, "next"), field(2, "value")];
        let trace = Trace {
            objects: vec![object(10, root), object(20, slot(3)), object(30, field(1, "next"))],
            locations: locations.map(|name| trace::Location { name, creator: None }).to_vec(),
            ..Trace::default()
        };
        let names = LocationNames::new(&trace);
        let named: Vec<Vec<Named>> =
            trace.locations.iter().map(|location| names.of(&location.name)).collect();
        let tables = tables(&trace, &names, |id| &named[id.index()]);
        let table = |location: usize| tables.get(&named[location][0].location).copied();
        assert_eq!(table(0), None, "the static field that holds it");
        assert_eq!(table(1), Some(Location(names.way(ObjectId(0)))));
        assert!([2, 3, 4].into_iter().all(|inside| table(inside) == table(1)));
    }
}
