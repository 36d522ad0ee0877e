//! What traces say about a difference: whom to suspect, and through what it
//! happens. A suspicion only decides what is tried first.

use std::collections::{BTreeMap, BTreeSet};

use super::minimise::without_lengthy;
use super::probe::Probe;
use crate::Location;
use crate::desk::Tier;
use crate::knowledge::{Seen, Simulation};
use crate::observation::{Evidence, Observation};
use crate::purpose::{Purpose, Step};
use crate::roster::TestNumber;

/// Single writers that are tried before all of them together.
const WRITERS_TRIED: usize = 8;

/// Sets of tests that left what the test read in the run of this evidence: each
/// writer alone and with what it depends on itself, then all of them, without
/// and with that; each also without lengthy tests. Small sets come first, since
/// they are quick to try and leave less to minimise, and of equal ones writers
/// whose locations the fewest tests read. Nothing if traces do not tell.
pub(crate) fn suspects(probe: &Probe<'_>, evidence: &Evidence) -> Vec<Vec<TestNumber>> {
    let ledger = probe.shared.ledger.borrow();
    let knowledge = &ledger.knowledge;
    if knowledge.is_empty() {
        return Vec::new();
    }
    let order = [evidence.before(), vec![probe.test]].concat();
    let simulation = Simulation::of(knowledge, &probe.shared.roster, &order);
    let Some(place) = simulation.place_of(probe.test) else { return Vec::new() };
    let mut writers: BTreeMap<usize, usize> = BTreeMap::new();
    for &(writer, spot) in &simulation.steps()[place].from {
        let readers = knowledge.readers(spot);
        let fewest = writers.entry(writer).or_insert(readers);
        *fewest = readers.min(*fewest);
    }
    let mut by_rarity: Vec<(usize, usize)> = writers.into_iter().map(|(w, n)| (n, w)).collect();
    by_rarity.sort_unstable();
    let tests = |places: BTreeSet<usize>| {
        let before = places.into_iter().filter(|&other| other != place);
        probe.movable(before.map(|other| order[other]))
    };
    let singles = by_rarity.iter().take(WRITERS_TRIED);
    let mut sets: Vec<Vec<TestNumber>> = singles
        .flat_map(|&(_, writer)| [BTreeSet::from([writer]), simulation.needed(&[writer])])
        .map(tests)
        .collect();
    sets.push(tests(by_rarity.iter().map(|&(_, writer)| writer).collect()));
    sets.push(tests(simulation.needed(&[place])));
    let brief: Vec<_> = sets.iter().filter_map(|set| without_lengthy(probe, set)).collect();
    sets.extend(brief);
    sets.sort_by_key(Vec::len);
    let mut seen = BTreeSet::new();
    sets.retain(|set| !set.is_empty() && set.len() < order.len() && seen.insert(set.clone()));
    sets
}

/// The locations through which these tests reach the test that comes after
/// them. Where no trace has shown it yet, the order is traced once more.
pub(crate) async fn through(probe: &Probe<'_>, before: &[TestNumber]) -> Vec<Location> {
    let shared = probe.shared;
    if !shared.is_traced() {
        return Vec::new();
    }
    if let Some(known) = known_through(probe, before) {
        return known;
    }
    let purpose = Purpose::Explanation { test: shared.id(probe.test).clone(), step: Step::Trace };
    let run = shared.desk.ask_traced(probe.order(before), purpose, Tier::Now).await;
    passed_on(&run, before, probe.test).into_iter().collect()
}

/// The same as far as traces have shown it already.
pub(crate) fn known_through(probe: &Probe<'_>, before: &[TestNumber]) -> Option<Vec<Location>> {
    let order = probe.order(before);
    let ledger = probe.shared.ledger.borrow();
    let simulation = Simulation::of(&ledger.knowledge, &probe.shared.roster, &order);
    let step = simulation.steps().last().filter(|step| matches!(step.seen, Seen::Known(_)))?;
    let from_them = step.from.iter().filter(|(place, _)| before.contains(&order[*place]));
    let spots: BTreeSet<_> = from_them.map(|(_, spot)| *spot).collect();
    let locations = spots.into_iter().filter_map(|spot| ledger.knowledge.location(spot));
    Some(locations.collect::<BTreeSet<_>>().into_iter().collect())
}

/// What the test read in this run that one of these had written last.
fn passed_on(run: &Observation, by: &[TestNumber], to: TestNumber) -> BTreeSet<Location> {
    let mut left: BTreeMap<Location, TestNumber> = BTreeMap::new();
    let mut passed_on = BTreeSet::new();
    let seen = run.watched().map_or(&[][..], |watched| &watched.tests);
    let stretches = run.reached().iter().zip(seen);
    for (test, seen) in stretches.flat_map(|((test, _), s)| s.iter().map(move |s| (test, s))) {
        if *test == to {
            let from_them =
                |location: &&Location| left.get(location).is_some_and(|writer| by.contains(writer));
            passed_on.extend(seen.reads.iter().filter(from_them));
        }
        let changed = seen.writes.iter().filter(|write| !write.restored);
        left.extend(changed.map(|write| (write.location, *test)));
        left.extend(seen.made.keys().map(|location| (*location, *test)));
    }
    passed_on
}
