//! Locations of findings and data dependencies, told by the way to each.

use std::collections::{BTreeSet, HashMap};

use residue_detect::Location;
use residue_model::trace::AccessPath;
use serde::Serialize;

/// Locations told of one dependency: two tests that share a large structure
/// would otherwise fill the document with its every slot.
const TOLD: usize = 20;

/// Stands for what no trace at hand has.
const UNKNOWN: &str = "?";

/// A location as in the document of a trace.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct LocationEntry {
    /// Steps from the root; what is near it comes first.
    #[serde(skip)]
    distance: usize,
    path: String,
    root: String,
}

/// Some locations, the nearest to their roots first, and how many there are.
/// Slots of an array that were accessed together are one.
pub(crate) fn told(
    locations: &[Location],
    paths: &HashMap<Location, AccessPath>,
) -> (usize, Vec<LocationEntry>) {
    let entry = |location: &Location| match paths.get(location) {
        Some(path) => LocationEntry {
            distance: path.steps.len(),
            path: format!("{path:#}"),
            root: path.root.to_string(),
        },
        None => LocationEntry { distance: usize::MAX, path: UNKNOWN.into(), root: UNKNOWN.into() },
    };
    let all: BTreeSet<LocationEntry> = locations.iter().map(entry).collect();
    (all.len(), all.into_iter().take(TOLD).collect())
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{PathRoot, Step};

    use super::*;

    fn path(steps: &[Step]) -> AccessPath {
        let root = PathRoot::Static { class: "a.Cache".into(), field: "entries".into() };
        AccessPath { root, steps: steps.to_vec() }
    }

    #[test]
    fn what_is_near_the_root_comes_first_and_no_path_twice() {
        let slots = Step::Elements { first: 0, last: 3 };
        let table = Step::Field { class: "java.util.HashMap".into(), field: "table".into() };
        let paths = HashMap::from([
            (Location(1), path(&[table.clone(), slots.clone()])),
            (Location(2), path(&[table.clone(), slots])),
            (Location(3), path(&[])),
            (Location(4), path(&[table])),
        ]);
        let locations = [5, 1, 2, 3, 4].map(Location);
        let (count, told) = told(&locations, &paths);
        let told: Vec<&str> = told.iter().map(|entry| entry.path.as_str()).collect();
        let table = "Cache.entries -> HashMap.table";
        assert_eq!(told, ["Cache.entries", table, &format!("{table}[0..3]"), "?"]);
        assert_eq!(count, told.len());
    }

    #[test]
    fn of_many_locations_some_are_told() {
        let slot = |index: u32| Step::Elements { first: index, last: index };
        let paths: HashMap<_, _> =
            (0..50).map(|at| (Location(at.into()), path(&[slot(at)]))).collect();
        let locations: Vec<Location> = (0..50).map(Location).collect();
        let (count, told) = told(&locations, &paths);
        assert_eq!((count, told.len()), (50, TOLD));
        assert_eq!(told[0].root, "a.Cache#entries");
    }
}
