//! From tests to what is packed: units, each with all it needs.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::workload::{Remedy, Workload};

/// The units of a workload, in the order of their first tests.
#[derive(Debug)]
pub(crate) struct Units {
    /// The unit of each test.
    unit_of: Vec<usize>,
    /// The tests of each unit, ascending.
    pub(crate) tests: Vec<Vec<usize>>,
    /// Microseconds.
    pub(crate) costs: Vec<u64>,
    /// Direct needs, all with smaller numbers.
    pub(crate) needs: Vec<Vec<usize>>,
    /// The unit itself and all it needs, directly or not.
    pub(crate) closures: Vec<Bits>,
    /// What units need only where others run too.
    pub(crate) rules: Vec<Rule>,
    /// Units with the same number here must be in one worker, and only there.
    pub(crate) confined: Vec<Option<usize>>,
    /// Runs after all workers are done.
    pub(crate) postponed: Vec<bool>,
}

/// Where all of some units run, others must run too. These are neither confined
/// nor postponed, so that every worker may run them.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Whose need it is.
    pub(crate) unit: usize,
    behind: Vec<usize>,
    /// With all they need.
    pub(crate) needs: Bits,
}

/// The units that no other needs, with all they need: what is packed. Those
/// that must be in one worker are one.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) closure: Bits,
    pub(crate) cost: u64,
}

impl Units {
    pub(crate) fn of(workload: &Workload) -> Self {
        let mut needs = workload.needs.clone();
        let mut remedies: Vec<&Remedy> = workload.remedies.iter().collect();
        loop {
            let mut units = Self::without_rules(workload, &needs);
            let rules = remedies.iter().map(|remedy| units.rule(remedy)).collect::<Vec<_>>();
            let (kept, firm): (Vec<_>, Vec<_>) =
                remedies.into_iter().zip(rules).partition(|(_, rule)| units.can_do_without(rule));
            if firm.is_empty() {
                units.rules = kept.into_iter().map(|(_, rule)| rule).collect();
                return units;
            }
            // More needs make larger units, for which another rule may be firm.
            firm.iter().for_each(|(remedy, _)| needs[remedy.test].extend(&remedy.needs));
            remedies = kept.into_iter().map(|(remedy, _)| remedy).collect();
        }
    }

    fn without_rules(workload: &Workload, needs_of_tests: &[Vec<usize>]) -> Self {
        let unit_of = merged(&workload.unit_of, needs_of_tests);
        let count = unit_of.iter().max().map_or(0, |last| last + 1);
        let mut tests = vec![Vec::new(); count];
        let mut costs = vec![0; count];
        let mut needs = vec![Vec::new(); count];
        for (test, &unit) in unit_of.iter().enumerate() {
            tests[unit].push(test);
            costs[unit] += workload.durations[test].as_micros() as u64;
            let others = needs_of_tests[test].iter().map(|needed| unit_of[*needed]);
            needs[unit].extend(others.filter(|other| *other != unit));
        }
        for list in &mut needs {
            list.sort_unstable();
            list.dedup();
        }
        let closures = closures(&needs);
        let confined = confined(workload, &unit_of, &closures);
        let mut postponed = vec![false; count];
        workload.postponed.iter().for_each(|test| postponed[unit_of[*test]] = true);
        for unit in 0..count {
            postponed[unit] |= needs[unit].iter().any(|needed| postponed[*needed]);
        }
        let rules = Vec::new();
        Self { unit_of, tests, costs, needs, closures, rules, confined, postponed }
    }

    fn rule(&self, remedy: &Remedy) -> Rule {
        let mut needs = Bits::default();
        for test in &remedy.needs {
            needs.insert_all(&self.closures[self.unit_of[*test]]);
        }
        let behind = remedy.behind.iter().map(|test| self.unit_of[*test]).collect();
        Rule { unit: self.unit_of[remedy.test], behind, needs }
    }

    /// Whether a worker may have the unit without what the rule asks for, and
    /// any worker that must may have that too.
    fn can_do_without(&self, rule: &Rule) -> bool {
        let always = rule.behind.iter().all(|other| self.closures[rule.unit].contains(*other));
        let anywhere = |unit: usize| self.confined[unit].is_none() && !self.postponed[unit];
        !always && rule.needs.iter().all(anywhere)
    }

    pub(crate) fn len(&self) -> usize {
        self.tests.len()
    }

    /// Units that run in the workers.
    pub(crate) fn parallel(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|unit| !self.postponed[*unit])
    }

    pub(crate) fn cost_of(&self, set: &Bits) -> u64 {
        set.iter().map(|unit| self.costs[unit]).sum()
    }

    /// Adds what units of one worker need because of each other.
    pub(crate) fn complete(&self, set: &mut Bits) {
        let lacks = |set: &Bits| {
            let mut rules = self.rules.iter();
            rules.find(|rule| rule.applies_to(set) && !set.contains_all(&rule.needs))
        };
        while let Some(rule) = lacks(set) {
            set.insert_all(&rule.needs);
        }
    }

    /// The tests of some units, in reference order.
    pub(crate) fn tests_in(&self, set: &Bits) -> Vec<usize> {
        let mut tests: Vec<usize> =
            set.iter().flat_map(|unit| self.tests[unit].iter().copied()).collect();
        tests.sort_unstable();
        tests
    }

    pub(crate) fn items(&self) -> Vec<Item> {
        let mut needed = Bits::default();
        for unit in self.parallel() {
            self.needs[unit].iter().for_each(|other| needed.insert(*other));
        }
        let mut closures: Vec<Bits> = Vec::new();
        let mut bundles: HashMap<usize, usize> = HashMap::new();
        for unit in self.parallel().filter(|unit| !needed.contains(*unit)) {
            let next = closures.len();
            let at = match self.confined[unit] {
                Some(bundle) => *bundles.entry(bundle).or_insert(next),
                None => next,
            };
            if at == next {
                closures.push(Bits::default());
            }
            closures[at].insert_all(&self.closures[unit]);
        }
        let item = |mut closure| {
            self.complete(&mut closure);
            Item { cost: self.cost_of(&closure), closure }
        };
        closures.into_iter().map(item).collect()
    }
}

impl Rule {
    fn applies_to(&self, set: &Bits) -> bool {
        set.contains(self.unit) && self.behind.iter().all(|other| set.contains(*other))
    }
}

/// The unit of each test, numbered by first test. Units of which an earlier
/// one needs a later one become one, so that needs always point backwards.
fn merged(unit_of: &[usize], needs_of_tests: &[Vec<usize>]) -> Vec<usize> {
    let mut unit_of = unit_of.to_vec();
    loop {
        renumber(&mut unit_of);
        let count = unit_of.iter().max().map_or(0, |last| last + 1);
        let mut same: Vec<usize> = (0..count).collect();
        let mut changed = false;
        for (test, needs) in needs_of_tests.iter().enumerate() {
            for needed in needs {
                let (unit, other) =
                    (root(&mut same, unit_of[test]), root(&mut same, unit_of[*needed]));
                if other > unit {
                    same[other] = unit;
                    changed = true;
                }
            }
        }
        if !changed {
            return unit_of;
        }
        unit_of.iter_mut().for_each(|unit| *unit = root(&mut same, *unit));
    }
}

fn renumber(unit_of: &mut [usize]) {
    let mut numbers = HashMap::new();
    for unit in unit_of {
        let next = numbers.len();
        *unit = *numbers.entry(*unit).or_insert(next);
    }
}

fn closures(needs: &[Vec<usize>]) -> Vec<Bits> {
    let mut closures: Vec<Bits> = Vec::with_capacity(needs.len());
    for (unit, needs) in needs.iter().enumerate() {
        let mut closure = Bits::default();
        closure.insert(unit);
        // The latest first: what it brings along need not be added again.
        for &needed in needs.iter().rev() {
            if !closure.contains(needed) {
                closure.insert_all(&closures[needed]);
            }
        }
        closures.push(closure);
    }
    closures
}

/// Confined tests bind all units that need one of them.
fn confined(workload: &Workload, unit_of: &[usize], closures: &[Bits]) -> Vec<Option<usize>> {
    let mut bundles: Vec<usize> = (0..workload.confined.len()).collect();
    let mut touched: Vec<Vec<usize>> = vec![Vec::new(); closures.len()];
    for (bundle, tests) in workload.confined.iter().enumerate() {
        tests.iter().for_each(|test| touched[unit_of[*test]].push(bundle));
    }
    let of_closure = |closure: &Bits| -> Vec<usize> {
        closure.iter().flat_map(|unit| touched[unit].iter().copied()).collect()
    };
    if bundles.is_empty() {
        return vec![None; closures.len()];
    }
    let all: Vec<Vec<usize>> = closures.iter().map(of_closure).collect();
    for together in &all {
        for pair in together.windows(2) {
            let (one, other) = (root(&mut bundles, pair[0]), root(&mut bundles, pair[1]));
            bundles[one.max(other)] = one.min(other);
        }
    }
    all.iter().map(|of_unit| of_unit.first().map(|bundle| root(&mut bundles, *bundle))).collect()
}

/// The representative of a set in a forest of parents.
pub(crate) fn root(parents: &mut [usize], number: usize) -> usize {
    let mut here = number;
    while parents[here] != here {
        parents[here] = parents[parents[here]];
        here = parents[here];
    }
    here
}
