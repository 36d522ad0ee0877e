//! Small suites whose every order can be computed without running anything.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use residue_detect::{Accesses, Location};
use residue_exec::fake::{FakeSuite, World};
use residue_model::{Outcome, TestId, TestOrder};

/// What a test does, one line each. Variables begin as 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// Writes a variable.
    Set(usize, i64),
    /// Writes the second variable if the first has this value.
    SetIf(usize, i64, usize, i64),
    /// Fails here unless the variable has this value.
    Expect(usize, i64),
    /// Fails here unless the second variable has its value, if the first has its.
    ExpectIf(usize, i64, usize, i64),
    /// Adds one to a variable.
    Count(usize),
    /// Ends the JVM if the variable has this value.
    ExitIf(usize, i64),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ModelSuite {
    pub(crate) tests: Vec<(String, Vec<Line>)>,
    /// What the class fixture of each class does.
    pub(crate) before: BTreeMap<String, Vec<Line>>,
    pub(crate) after: BTreeMap<String, Vec<Line>>,
}

/// The line at which a test failed, if it did; or one of those below.
pub(crate) type Ending = Option<i32>;
pub(crate) const EXITED: Ending = Some(-1);
pub(crate) const UNREACHED: Ending = Some(-2);

impl ModelSuite {
    pub(crate) fn fake(&self) -> FakeSuite {
        let mut suite = self.tests.iter().fold(FakeSuite::new(), |suite, (name, lines)| {
            let lines = lines.clone();
            suite.test(name, move |world| perform(&lines, world))
        });
        for (class, lines) in self.before.clone() {
            suite = suite.before_class(&class, move |world| drop(perform(&lines, world)));
        }
        for (class, lines) in self.after.clone() {
            suite = suite.after_class(&class, move |world| drop(perform(&lines, world)));
        }
        suite
    }

    fn class(&self, test: usize) -> &str {
        self.tests[test].0.split('#').next().unwrap()
    }

    /// How the tests of an order end, computed directly. Behind one that ends
    /// the JVM the others begin anew, as if they were an order of their own.
    pub(crate) fn endings(&self, order: &[usize]) -> Vec<Ending> {
        let mut state = [0; 8];
        let mut class = None;
        let mut endings = Vec::new();
        for (place, &test) in order.iter().enumerate() {
            let own = self.class(test);
            if class != Some(own) {
                self.before.get(own).map(|lines| ending(lines, &mut state));
            }
            class = Some(own);
            endings.push(ending(&self.tests[test].1, &mut state));
            let last = order.get(place + 1).is_none_or(|&next| self.class(next) != own);
            if last {
                self.after.get(own).map(|lines| ending(lines, &mut state));
            }
            if endings[place] == EXITED {
                state = [0; 8];
                class = None;
            }
        }
        endings
    }

    /// How the last test of an order ends in one JVM.
    pub(crate) fn last(&self, order: &[usize]) -> Ending {
        let endings = self.endings(order);
        let (last, earlier) = endings.split_last().unwrap();
        if earlier.contains(&EXITED) { UNREACHED } else { *last }
    }

    pub(crate) fn never_exits(&self) -> bool {
        let mut lines = self.tests.iter().flat_map(|(_, lines)| lines);
        !lines.any(|line| matches!(line, Line::ExitIf(..)))
    }

    pub(crate) fn without_exits(mut self) -> Self {
        for (_, lines) in &mut self.tests {
            lines.retain(|line| !matches!(line, Line::ExitIf(..)));
        }
        self
    }

    pub(crate) fn default_order(&self) -> Vec<usize> {
        (0..self.tests.len()).collect()
    }

    /// How each test ends in the default order.
    pub(crate) fn expected(&self) -> Vec<Ending> {
        self.endings(&self.default_order())
    }

    /// Tests that end otherwise than expected in one of these orders.
    pub(crate) fn differing(
        &self,
        orders: impl IntoIterator<Item = Vec<usize>>,
    ) -> BTreeSet<String> {
        let expected = self.expected();
        let mut differing = BTreeSet::new();
        for order in orders {
            for (&test, ending) in order.iter().zip(self.endings(&order)) {
                if ending != expected[test] {
                    differing.insert(self.tests[test].0.clone());
                }
            }
        }
        differing
    }

    pub(crate) fn number(&self, test: &TestId) -> usize {
        self.tests.iter().position(|(name, _)| name == test.as_str()).unwrap()
    }

    pub(crate) fn numbers(&self, order: &TestOrder) -> Vec<usize> {
        order.tests().iter().map(|test| self.number(test)).collect()
    }

    pub(crate) fn order(&self) -> TestOrder {
        let ids = self.tests.iter().map(|(name, _)| TestId::parse(name).unwrap());
        TestOrder::new(ids.collect()).unwrap()
    }

    /// What a perfect trace would say.
    pub(crate) fn accesses(&self) -> Accesses {
        let mut accesses = Accesses::new();
        for (name, lines) in &self.tests {
            let location = |variable: &usize| Location(*variable as u64);
            let reads = lines.iter().filter_map(|line| match line {
                Line::SetIf(read, ..)
                | Line::Expect(read, _)
                | Line::ExpectIf(read, ..)
                | Line::Count(read)
                | Line::ExitIf(read, _) => Some(location(read)),
                Line::Set(..) => None,
            });
            let more = lines.iter().filter_map(|line| match line {
                Line::ExpectIf(_, _, read, _) => Some(location(read)),
                _ => None,
            });
            let writes = lines.iter().filter_map(|line| match line {
                Line::Set(written, _) | Line::SetIf(_, _, written, _) | Line::Count(written) => {
                    Some(location(written))
                }
                Line::Expect(..) | Line::ExpectIf(..) | Line::ExitIf(..) => None,
            });
            accesses.record(TestId::parse(name).unwrap(), reads.chain(more), writes);
        }
        accesses
    }
}

fn ending(lines: &[Line], state: &mut [i64; 8]) -> Ending {
    for (number, line) in (1..).zip(lines) {
        match *line {
            Line::Set(variable, value) => state[variable] = value,
            Line::SetIf(read, value, written, to) => {
                if state[read] == value {
                    state[written] = to;
                }
            }
            Line::Expect(variable, value) => {
                if state[variable] != value {
                    return Some(number);
                }
            }
            Line::ExpectIf(read, value, variable, to) => {
                if state[read] == value && state[variable] != to {
                    return Some(number);
                }
            }
            Line::Count(variable) => state[variable] += 1,
            Line::ExitIf(variable, value) => {
                if state[variable] == value {
                    return EXITED;
                }
            }
        }
    }
    None
}

fn perform(lines: &[Line], world: &mut World) -> Result<(), Outcome> {
    let name = |variable: usize| format!("v{variable}");
    for (number, line) in (1..).zip(lines) {
        match *line {
            Line::Set(variable, value) => world.set(&name(variable), value),
            Line::SetIf(read, value, written, to) => {
                if world.get(&name(read)) == value {
                    world.set(&name(written), to);
                }
            }
            Line::Expect(variable, value) => {
                if world.get(&name(variable)) != value {
                    return Err(world.failed_at(number));
                }
            }
            Line::ExpectIf(read, value, variable, to) => {
                if world.get(&name(read)) == value && world.get(&name(variable)) != to {
                    return Err(world.failed_at(number));
                }
            }
            Line::Count(variable) => {
                let count = world.get(&name(variable));
                world.set(&name(variable), count + 1);
            }
            Line::ExitIf(variable, value) => {
                if world.get(&name(variable)) == value {
                    return Err(world.exited(1));
                }
            }
        }
    }
    Ok(())
}

/// The line at which this outcome failed.
pub(crate) fn line_of(outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Crashed(_) => EXITED,
        outcome => outcome.failure().map(|failure| failure.frames[0].line.unwrap()),
    }
}

/// All sequences of `k` different numbers below `n`, by recursion.
pub(crate) fn sequences(n: usize, k: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![vec![]];
    }
    let longer = |shorter: Vec<usize>| {
        let free = (0..n).filter(|item| !shorter.contains(item)).collect::<Vec<_>>();
        free.into_iter().map(move |item| [shorter.as_slice(), &[item]].concat())
    };
    sequences(n, k - 1).into_iter().flat_map(longer).collect()
}

fn line(variables: usize) -> impl Strategy<Value = Line> {
    let (variable, value) = (0..variables, 0..3_i64);
    prop_oneof![
        6 => (variable.clone(), value.clone()).prop_map(|(a, x)| Line::Set(a, x)),
        2 => (variable.clone(), value.clone(), variable.clone(), value.clone())
            .prop_map(|(a, x, b, y)| Line::SetIf(a, x, b, y)),
        6 => (variable.clone(), value.clone()).prop_map(|(a, x)| Line::Expect(a, x)),
        2 => (variable.clone(), value.clone(), variable.clone(), value.clone())
            .prop_map(|(a, x, b, y)| Line::ExpectIf(a, x, b, y)),
        1 => variable.clone().prop_map(Line::Count),
        1 => (variable, value).prop_map(|(a, x)| Line::ExitIf(a, x)),
    ]
}

/// Suites of some tests in up to three classes that share two variables.
pub(crate) fn suites(tests: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = ModelSuite> {
    suites_over(2, tests)
}

/// The same over so many variables.
pub(crate) fn suites_over(
    variables: usize,
    tests: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = ModelSuite> {
    let bodies = prop::collection::vec(prop::collection::vec(line(variables), 0..4), tests);
    (bodies, 1..4_usize).prop_map(|(bodies, classes)| {
        let count = bodies.len();
        let name = |test: usize| format!("a.C{}Test#t{test}", test * classes / count);
        let tests = bodies.into_iter().enumerate().map(|(test, lines)| (name(test), lines));
        ModelSuite { tests: tests.collect(), ..ModelSuite::default() }
    })
}

/// Suites whose classes have fixtures, before and after their tests.
pub(crate) fn suites_with_fixtures(
    tests: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = ModelSuite> {
    let write = || {
        prop_oneof![
            (0..3_usize, 0..3_i64).prop_map(|(a, x)| Line::Set(a, x)),
            (0..3_usize).prop_map(Line::Count),
            (0..3_usize, 0..3_i64, 0..3_usize, 0..3_i64)
                .prop_map(|(a, x, b, y)| Line::SetIf(a, x, b, y)),
        ]
    };
    let fixtures = || {
        prop::collection::btree_map("a\\.C[0-2]Test", prop::collection::vec(write(), 1..3), 0..3)
    };
    (suites_over(3, tests), fixtures(), fixtures()).prop_map(|(suite, before, after)| ModelSuite {
        before,
        after,
        ..suite
    })
}

/// Suites in which a test reads at most one variable and writes come always:
/// then only the last writer before a test matters.
pub(crate) fn one_variable_suites(
    tests: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = ModelSuite> {
    let expect = prop::option::of((0..3_usize, 0..3_i64).prop_map(|(a, x)| Line::Expect(a, x)));
    let write = prop::option::of((0..3_usize, 0..3_i64).prop_map(|(a, x)| Line::Set(a, x)));
    // The write stands first: a failing test still writes.
    let body = (write, expect).prop_map(|(write, expect)| match (write, expect) {
        (Some(Line::Set(a, _)), Some(Line::Expect(b, x))) if a == b => vec![Line::Expect(b, x)],
        (write, expect) => write.into_iter().chain(expect).collect(),
    });
    prop::collection::vec(body, tests).prop_map(|bodies| {
        let tests = bodies.into_iter().enumerate();
        ModelSuite {
            tests: tests
                .map(|(test, lines)| (format!("a.C{}Test#t{test}", test / 3), lines))
                .collect(),
            ..ModelSuite::default()
        }
    })
}
