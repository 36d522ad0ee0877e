//! Tests that share state of the machine, of which workers have no copies:
//! files, ports, whoever answers at an address.
//!
//! Two tests that use the same of these, one of them writing, must neither run
//! at the same time nor twice. That a test puts back what it found does not
//! help: others may look meanwhile. The temporary folder is no such place: each
//! JVM gets its own.

use std::collections::BTreeSet;

use residue_graph::DependencyGraph;
use residue_model::trace::{EpochIndex, LocationId, LocationName, OutsideKind};

/// How names in the temporary folder begin.
pub(crate) const TEMPORARY: &str = "<tmp>";

#[derive(Debug, Clone, Default)]
struct Users {
    readers: BTreeSet<usize>,
    writers: BTreeSet<usize>,
}

/// Sets of tests that must stay in one worker, each for one piece of state.
pub fn machine_sharing(graph: &DependencyGraph<'_>) -> Vec<Vec<usize>> {
    let trace = graph.trace();
    let kinds: Vec<Option<OutsideKind>> = trace
        .locations
        .iter()
        .map(|location| match &location.name {
            LocationName::Outside(outside) if !outside.name.starts_with(TEMPORARY) => {
                Some(outside.kind)
            }
            _ => None,
        })
        .collect();
    if kinds.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut users = vec![Users::default(); kinds.len()];
    for (test, epochs) in graph.epochs_by_test().into_iter().enumerate() {
        let run = epochs.before.into_iter().chain(epochs.own).chain(epochs.after);
        for epoch in run.map(|epoch: EpochIndex| trace.epoch(epoch)) {
            let index = |location: LocationId| location.index();
            epoch.reads.iter().for_each(|read| {
                users[index(read.location)].readers.insert(test);
            });
            epoch.writes.iter().for_each(|write| {
                users[index(write.location)].writers.insert(test);
            });
        }
    }
    let shared =
        kinds.iter().zip(&users).filter_map(|(kind, users)| sharing(*kind.as_ref()?, users));
    let sets: BTreeSet<Vec<usize>> = shared.collect();
    sets.into_iter().collect()
}

fn sharing(kind: OutsideKind, Users { readers, writers }: &Users) -> Option<Vec<usize>> {
    let shared = match kind {
        // Each JVM has its own.
        OutsideKind::Variable | OutsideKind::WorkingDirectory => false,
        // To add names to a folder disturbs only who looks at all of them.
        OutsideKind::FolderListing | OutsideKind::FileMetadata => {
            readers.iter().any(|reader| writers.iter().any(|writer| writer != reader))
        }
        OutsideKind::FileContent
        | OutsideKind::FileName
        | OutsideKind::Port
        | OutsideKind::Peer
        | OutsideKind::UnixSocket => !writers.is_empty(),
    };
    let all: Vec<usize> = readers.union(writers).copied().collect();
    // What one test has for itself may be new each time, as temporary files are.
    (shared && all.len() > 1).then_some(all)
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{Epoch, EpochKind, Location, Outside, Read, Trace, Value, Write};

    use super::*;

    fn sharing_of(kind: OutsideKind, accesses: &[(bool, bool)]) -> Vec<Vec<usize>> {
        sharing_of_named(kind, "x", accesses)
    }

    fn sharing_of_named(
        kind: OutsideKind,
        name: &str,
        accesses: &[(bool, bool)],
    ) -> Vec<Vec<usize>> {
        let location = LocationId(0);
        let same = Some(Value::Integer(1));
        let epoch = |(test, (reads, writes)): (usize, &(bool, bool))| Epoch {
            kind: EpochKind::Test,
            test,
            reads: reads.then_some(Read { location, stack: None }).into_iter().collect(),
            // Undone at its end.
            writes: writes
                .then(|| Write { location, stack: None, old: same.clone(), new: same.clone() })
                .into_iter()
                .collect(),
        };
        let name = LocationName::Outside(Outside::new(kind, name));
        let trace = Trace {
            order: (0..accesses.len())
                .map(|test| TestId::parse(&format!("a.T#t{test}")).unwrap())
                .collect(),
            epochs: accesses.iter().enumerate().map(epoch).collect(),
            locations: vec![Location { name, creator: None }],
            ..Trace::default()
        };
        machine_sharing(&DependencyGraph::new(&trace))
    }

    #[test]
    fn whoever_uses_a_file_that_another_writes_shares_it() {
        let users = [(true, false), (false, false), (false, true)];
        assert_eq!(sharing_of(OutsideKind::FileContent, &users), [vec![0, 2]]);
    }

    #[test]
    fn a_file_that_all_only_read_is_shared_by_nobody() {
        assert!(sharing_of(OutsideKind::FileContent, &[(true, false), (true, false)]).is_empty());
    }

    #[test]
    fn two_that_make_files_in_a_folder_do_not_disturb_each_other() {
        let makers = [(false, true), (false, true)];
        assert!(sharing_of(OutsideKind::FolderListing, &makers).is_empty());
        let with_reader = [(false, true), (true, false)];
        assert_eq!(sharing_of(OutsideKind::FolderListing, &with_reader), [vec![0, 1]]);
    }

    #[test]
    fn each_jvm_has_an_environment_and_a_temporary_folder_of_its_own() {
        let users = [(true, true), (true, true)];
        assert!(sharing_of(OutsideKind::Variable, &users).is_empty());
        assert!(sharing_of_named(OutsideKind::FileName, "<tmp>/x", &users).is_empty());
        assert!(!sharing_of_named(OutsideKind::FileName, "x", &users).is_empty());
    }
}
