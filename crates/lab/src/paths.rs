//! How the locations that a detection speaks of are reached.
//!
//! A detection knows locations by digests that are the same in every run. Their
//! names are in the traces, which are read again only when somebody asks.

use std::collections::{BTreeSet, HashMap};

use residue_detect::Location;
use residue_model::trace::{AccessPath, LocationId, Trace};

use crate::location_names::LocationNames;
use crate::{Lab, LabError};

/// Traces that are read for names. The first are of whole orders, in which
/// nearly all locations occur.
const MOST_TRACES: usize = 8;

impl Lab<'_> {
    /// How these locations are reached, as far as the first traces tell of which
    /// detections of this lab were told.
    pub fn paths(
        &self,
        locations: &BTreeSet<Location>,
    ) -> Result<HashMap<Location, AccessPath>, LabError> {
        let mut paths = HashMap::new();
        for &run in self.told_traces.iter().take(MOST_TRACES) {
            if paths.len() == locations.len() {
                break;
            }
            add_paths(&self.load_traced(run)?.trace, locations, &mut paths);
        }
        Ok(paths)
    }
}

/// Adds what this trace tells. Of several locations with one name the first
/// stands for all.
fn add_paths(
    trace: &Trace,
    wanted: &BTreeSet<Location>,
    paths: &mut HashMap<Location, AccessPath>,
) {
    let names = LocationNames::new(trace);
    for (id, location) in (0..).map(LocationId).zip(&trace.locations) {
        for named in names.of(&location.name) {
            if wanted.contains(&named.location) {
                paths.entry(named.location).or_insert_with(|| trace.path(id));
            }
        }
    }
}
