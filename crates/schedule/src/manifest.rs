//! Which tests a test needs, going by findings: dependencies that were shown
//! to change an outcome.

use std::collections::BTreeSet;

use residue_graph::{DependencyGraph, DependencyKind, TestAccesses};
use residue_model::trace::LocationId;

use crate::workload::Remedy;

/// A test whose outcome depends on others, all as positions in reference order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The dependent test.
    pub test: usize,
    /// Sets of tests after which it ends otherwise than alone, each in the
    /// order in which they ran.
    pub partners: Vec<Vec<usize>>,
    /// Sets of tests that undo what the partners do.
    pub cleaners: Vec<Vec<usize>>,
    /// In the reference order it ends as after its partners, not as alone.
    pub as_with_partners: bool,
}

impl Manifest {
    /// The tests whose order among each other it depends on, itself included.
    pub fn bound(&self, traced: Option<&Traced<'_>>) -> Vec<usize> {
        let known = self.partners.iter().chain(&self.cleaners).flatten().copied();
        known.chain(self.needs(traced)).chain([self.test]).collect()
    }

    /// The tests it needs before it, so that it ends as in the reference order,
    /// wherever others may run.
    pub fn needs(&self, traced: Option<&Traced<'_>>) -> BTreeSet<usize> {
        let remedies = self.remedies(traced).into_iter();
        remedies.flat_map(|remedy| remedy.needs).chain(self.setters()).collect()
    }

    /// If it ends as with its partners, it needs them.
    pub fn setters(&self) -> BTreeSet<usize> {
        if !self.as_with_partners {
            return BTreeSet::new();
        }
        // Without any, others than those that were found must have done it.
        let set = self.before().next();
        set.map_or((0..self.test).collect(), |set| set.iter().copied().collect())
    }

    /// If it ends as alone although partners ran before it, somebody in between
    /// undid what they did: a known cleaner, or whoever wrote last what they
    /// wrote and the test reads. Where neither is known, it may be anyone in
    /// between. Behind partners that are known it needs these.
    pub fn remedies(&self, traced: Option<&Traced<'_>>) -> Vec<Remedy> {
        if self.as_with_partners {
            return Vec::new();
        }
        let remedy = |set: &Vec<usize>| {
            let (first, last) = (*set.iter().min()?, *set.iter().max()?);
            let in_between =
                |cleaner: &&Vec<usize>| cleaner.iter().all(|at| (last..self.test).contains(at));
            let cleaner = self.cleaners.iter().find(in_between);
            let needs = match (cleaner, traced.map(|traced| traced.overwriters(self.test, set))) {
                (Some(cleaner), _) => cleaner.clone(),
                (None, Some(writers)) if !writers.is_empty() => writers.into_iter().collect(),
                _ => (first + 1..self.test).collect(),
            };
            Some(Remedy { test: self.test, behind: set.clone(), needs })
        };
        self.before().filter_map(remedy).collect()
    }

    /// The sets of partners that run before it in the reference order.
    fn before(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.partners.iter().filter(|set| set.iter().all(|partner| *partner < self.test))
    }
}

/// A traced run of the reference order.
#[derive(Debug)]
pub struct Traced<'g> {
    graph: &'g DependencyGraph<'g>,
    accesses: Vec<Option<TestAccesses>>,
}

impl<'g> Traced<'g> {
    /// Looks up what each test reads and writes.
    pub fn new(graph: &'g DependencyGraph<'g>) -> Self {
        Self { graph, accesses: graph.accesses() }
    }

    /// Who wrote last, in the reference order, what the partners write and the
    /// test reads.
    fn overwriters(&self, test: usize, partners: &[usize]) -> BTreeSet<usize> {
        let known = partners.iter().filter_map(|partner| self.accesses[*partner].as_ref());
        let written: BTreeSet<LocationId> =
            known.flat_map(|accesses| accesses.writes.iter().copied()).collect();
        let read = self.graph.depends_on(DependencyKind::ReadAfterWrite, test);
        let through = read.filter(|on| on.flows().any(|flow| written.contains(&flow.location)));
        through.map(|on| on.earlier()).filter(|writer| !partners.contains(writer)).collect()
    }
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{Epoch, EpochKind, Location, LocationName, Read, Trace, Write};

    use super::*;

    fn manifest(partners: &[&[usize]], as_with_partners: bool) -> Manifest {
        let partners = partners.iter().map(|set| set.to_vec()).collect();
        Manifest { test: 4, partners, cleaners: vec![], as_with_partners }
    }

    fn needs(manifest: &Manifest) -> Vec<usize> {
        manifest.needs(None).into_iter().collect()
    }

    #[test]
    fn a_test_that_passes_thanks_to_others_needs_them() {
        assert_eq!(needs(&manifest(&[&[5], &[1, 2]], true)), [1, 2]);
    }

    #[test]
    fn a_test_that_passes_thanks_to_unknown_others_needs_all_before_it() {
        assert_eq!(needs(&manifest(&[&[5]], true)), [0, 1, 2, 3]);
    }

    #[test]
    fn a_victim_whose_polluter_comes_later_needs_nothing() {
        assert!(needs(&manifest(&[&[6], &[1, 7]], false)).is_empty());
    }

    #[test]
    fn a_victim_whose_polluter_comes_before_needs_its_cleaner_or_all_in_between() {
        let mut victim = manifest(&[&[1]], false);
        assert_eq!(needs(&victim), [2, 3]);
        victim.cleaners = vec![vec![0], vec![3]];
        assert_eq!(needs(&victim), [3]);
    }

    #[test]
    fn what_a_victim_needs_it_needs_only_behind_its_polluters() {
        let mut victim = manifest(&[&[1], &[0, 2], &[6]], false);
        victim.cleaners = vec![vec![3]];
        let remedy = |behind: &[usize]| Remedy { test: 4, behind: behind.into(), needs: vec![3] };
        assert_eq!(victim.remedies(None), [remedy(&[1]), remedy(&[0, 2])]);
        assert!(victim.setters().is_empty());
        assert!(manifest(&[&[1]], true).remedies(None).is_empty());
    }

    #[test]
    fn a_trace_tells_who_cleans() {
        let location = LocationId(0);
        let write = Write { location, stack: None, old: None, new: None };
        let epoch = |test: usize| Epoch {
            kind: EpochKind::Test,
            test,
            reads: if test == 4 { vec![Read { location, stack: None }] } else { vec![] },
            writes: if [1, 2].contains(&test) { vec![write.clone()] } else { vec![] },
        };
        let name = LocationName::Undescribed { cell: 0 };
        let trace = Trace {
            order: (0..5).map(|test| TestId::parse(&format!("a.T#t{test}")).unwrap()).collect(),
            epochs: (0..5).map(epoch).collect(),
            locations: vec![Location { name, creator: None }],
            ..Trace::default()
        };
        let graph = DependencyGraph::new(&trace);
        let needs = manifest(&[&[1]], false).needs(Some(&Traced::new(&graph)));
        assert_eq!(needs, BTreeSet::from([2]));
    }
}
