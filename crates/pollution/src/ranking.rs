//! From a trace to the list that a developer reads from the top.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use residue_model::trace::{Pollution, StackId, Trace};
use residue_model::{FileChange, Frame, LeftBehind, TestId};
use serde::Serialize;

use crate::accesses::{Accesses, Written};
use crate::harmless::Harmless;
use crate::outside::{Fate, LeftOutside, is_known_file, left_outside};
use crate::place_names::{is_filled_lazily, is_of_jvm, is_worked_out, name, root, root_class};
use crate::stable_names::without_numbers;

/// What a run and the store know.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'t> {
    /// A trace of a run that looked for pollution.
    pub trace: &'t Trace,
    /// What the same run left behind outside the heap.
    pub left_behind: &'t [LeftBehind],
    /// Polluters with the victims that findings prove.
    pub proven: &'t [(TestId, TestId)],
    /// Whether state of classes that a test itself loaded counts, against
    /// common-root isomorphism.
    pub new_roots: bool,
    /// Whether whole classes were compared instead of tests.
    pub per_class: bool,
}

/// All that was left changed, most important first.
#[derive(Debug)]
pub struct Ranking<'t> {
    /// One for each test method (or class) and piece of state.
    pub polluted: Vec<Polluted<'t>>,
    /// Left out because the class was loaded by the test itself.
    pub of_new_roots: usize,
}

/// How likely it is to hurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// A finding proves that another test suffers.
    Proven,
    /// Another test reads it.
    Read,
    /// A new test could read it: it belongs to a public class, or to the JVM.
    Public,
    /// A new test could read it only from inside a package, or by reflection.
    Private,
    /// It seldom matters, see [`Harmless`].
    Harmless,
}

/// State below one static field, one default of the JVM or one thing outside the
/// heap that a test method leaves changed.
#[derive(Debug)]
pub struct Polluted<'t> {
    /// How likely it is to hurt.
    pub rank: Rank,
    /// Why it seldom matters, whoever reads it.
    pub harmless: Option<Harmless>,
    /// `pkg.Class#method`, or only the class.
    pub polluter: String,
    /// What is left changed, as one line.
    pub name: String,
    /// Where it begins, the same in every run.
    pub root: String,
    /// The parameter sets that do it: positions in the order.
    pub tests: Vec<usize>,
    /// How many the method has.
    pub parameter_sets: usize,
    /// What is left.
    pub left: Left<'t>,
    /// Where it was written first.
    pub stack: Option<StackId>,
    /// Tests that read it later in the same run: positions in the order.
    pub readers: Vec<usize>,
    /// Tests that had read it before, so that in another order they would see
    /// what was left.
    pub earlier_readers: Vec<usize>,
    /// Tests that suffer from the polluter, as findings prove.
    pub victims: Vec<TestId>,
    /// The line of the test that leads to the write: what it does has to be
    /// undone when the test ends.
    pub reset: Option<&'t Frame>,
}

/// What kind of thing is left.
#[derive(Debug, Clone)]
pub enum Left<'t> {
    /// Changed state on the heap: different places in the order in which they
    /// were found, of the first set of parameters that leaves them.
    State(Vec<&'t Pollution>),
    /// A running thread.
    Thread,
    /// Something outside the heap.
    Outside {
        /// What has become of it.
        fate: Fate,
        /// How many names in it were made or removed with it.
        inside: usize,
    },
}

impl Polluted<'_> {
    /// The name under which a baseline knows it.
    pub fn key(&self) -> String {
        format!("{}  {}", self.polluter, self.root)
    }
}

/// Ranks what a traced run left changed.
pub fn rank<'t>(facts: &Facts<'t>) -> Ranking<'t> {
    let counted = |one: &&Pollution| facts.new_roots || !one.loaded_here;
    let pollutions: Vec<_> = facts.trace.pollutions.iter().filter(counted).collect();
    let of_new_roots = facts.trace.pollutions.len() - pollutions.len();
    let outside = left_outside(facts.trace, facts.per_class);
    let ranker = Ranker::new(facts, &pollutions, &outside);
    let of_state = pollutions.iter().filter_map(|pollution| ranker.of_state(pollution));
    let of_outside = outside.iter().map(|left| ranker.of_outside(left));
    let of_record = facts.left_behind.iter().filter_map(|left| ranker.of_record(left));
    let mut found: Vec<Polluted<'t>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for one in of_state.chain(of_outside).chain(of_record) {
        match known.get(&one.key()) {
            Some(&at) => found[at].join(one),
            None => {
                known.insert(one.key(), found.len());
                found.push(one);
            }
        }
    }
    for one in &mut found {
        one.judge(&ranker.test_classes);
    }
    found.sort_by_key(|one| {
        let readers = one.readers.len() + one.earlier_readers.len();
        (one.rank, Reverse(one.victims.len()), Reverse(readers), one.tests.first().copied())
    });
    Ranking { polluted: found, of_new_roots }
}

/// What is worked out once for all pollution of a run.
struct Ranker<'f, 't> {
    facts: &'f Facts<'t>,
    accesses: Accesses,
    /// Sets of parameters, by method.
    parameter_sets: HashMap<String, usize>,
    test_classes: HashSet<&'t str>,
}

impl<'f, 't> Ranker<'f, 't> {
    fn new(facts: &'f Facts<'t>, pollutions: &[&Pollution], outside: &[LeftOutside]) -> Self {
        let order = &facts.trace.order;
        let mut parameter_sets = HashMap::new();
        for test in order {
            *parameter_sets.entry(method_of(test)).or_default() += 1;
        }
        let of_state = pollutions.iter().map(|one| Written::from(*one));
        let of_outside = outside.iter().map(LeftOutside::written);
        Self {
            facts,
            accesses: Accesses::new(facts.trace, of_state.chain(of_outside)),
            parameter_sets,
            test_classes: order.iter().map(TestId::top_level_class).collect(),
        }
    }

    /// Nothing for what an initialiser did, or the JVM only worked out.
    fn of_state(&self, pollution: &'t Pollution) -> Option<Polluted<'t>> {
        let trace = self.facts.trace;
        let written = Written::from(pollution);
        let stack = self.accesses.written_at(written);
        let frames: Vec<&Frame> =
            stack.into_iter().flat_map(|stack| trace.frames_of(stack)).collect();
        let of_jvm = is_of_jvm(&pollution.place);
        if !self.accesses.is_written(written) || of_jvm && is_worked_out(&frames) {
            return None;
        }
        let test = trace.epoch(pollution.epoch).test;
        let (readers, earlier_readers) =
            self.accesses.readers(trace, written, self.facts.per_class);
        Some(Polluted {
            harmless: self.harmless(pollution, &frames),
            root: root(pollution),
            name: name(pollution),
            left: Left::State(vec![pollution]),
            stack,
            victims: self.proven_victims(test, written),
            readers,
            // The JDK and the frameworks read state of the JVM all the time.
            earlier_readers: if of_jvm { vec![] } else { earlier_readers },
            reset: own_frame(&frames, &trace.order[test]),
            ..self.by(test)
        })
    }

    fn of_outside(&self, left: &LeftOutside) -> Polluted<'t> {
        let trace = self.facts.trace;
        let written = left.written();
        let stack = self.accesses.written_at(written);
        let frames: Vec<&Frame> =
            stack.into_iter().flat_map(|stack| trace.frames_of(stack)).collect();
        let test = trace.epoch(written.epoch).test;
        let (readers, earlier_readers) =
            self.accesses.readers(trace, written, self.facts.per_class);
        let is_read = !readers.is_empty() || !earlier_readers.is_empty();
        Polluted {
            harmless: Harmless::of_outside(left).filter(|_| !is_read),
            root: left.name.clone(),
            name: left.name.clone(),
            left: Left::Outside { fate: left.fate, inside: left.inside },
            stack,
            victims: self.proven_victims(test, written),
            readers,
            earlier_readers,
            reset: own_frame(&frames, &trace.order[test]),
            ..self.by(test)
        }
    }

    /// What the record of the run knows: threads, and files that the trace
    /// knows nothing about.
    fn of_record(&self, left: &LeftBehind) -> Option<Polluted<'t>> {
        let (test, name, root, left) = match left {
            LeftBehind::Thread { test, name } => {
                let root = format!("running thread {:?}", without_numbers(name));
                (test, format!("running thread {name:?}"), root, Left::Thread)
            }
            LeftBehind::File { test: Some(test), path, change }
                if !is_known_file(self.facts.trace, path) =>
            {
                let fate = match change {
                    FileChange::Created => Fate::Made,
                    FileChange::Modified => Fate::Written,
                    FileChange::Deleted => Fate::Removed,
                };
                let name = format!("file {path}");
                (test, name.clone(), name, Left::Outside { fate, inside: 0 })
            }
            LeftBehind::File { .. } | LeftBehind::HungAtExit => return None,
        };
        let test = self.facts.trace.order.iter().position(|other| other == test)?;
        Some(Polluted { root, name, left, ..self.by(test) })
    }

    /// Something that a test leaves, to be filled in.
    fn by(&self, test: usize) -> Polluted<'t> {
        let id = &self.facts.trace.order[test];
        let polluter =
            if self.facts.per_class { id.top_level_class().to_owned() } else { method_of(id) };
        Polluted {
            rank: Rank::Private,
            harmless: None,
            name: String::new(),
            root: String::new(),
            tests: vec![test],
            parameter_sets: self.parameter_sets.get(&polluter).copied().unwrap_or(1),
            left: Left::Thread,
            stack: None,
            readers: vec![],
            earlier_readers: vec![],
            victims: vec![],
            reset: None,
            polluter,
        }
    }

    fn harmless(&self, pollution: &Pollution, stack: &[&Frame]) -> Option<Harmless> {
        let by_rule = Harmless::of(&pollution.place);
        let lazily = || is_filled_lazily(pollution).then_some(Harmless::Cache);
        let initialises = stack.iter().any(|frame| frame.method == "<clinit>");
        let by_stack = || {
            if initialises {
                Some(Harmless::Initialiser)
            } else {
                self.is_in_background(stack).then_some(Harmless::Background)
            }
        };
        by_rule.or_else(lazily).or_else(by_stack)
    }

    /// Whether a thread of its own did it, with no test on its stack.
    fn is_in_background(&self, stack: &[&Frame]) -> bool {
        let is_thread = stack.last().is_some_and(|last| last.class == "java.lang.Thread");
        let of_test = |frame: &&Frame| {
            let end = frame.class.find('$').unwrap_or(frame.class.len());
            self.test_classes.contains(&frame.class[..end])
        };
        is_thread && !stack.iter().any(of_test)
    }

    /// A victim of the test counts for state that it reads, also where it finds
    /// there what somebody else left. Where it reads nothing of it, the state is
    /// not the cause.
    fn proven_victims(&self, test: usize, written: Written<'_>) -> Vec<TestId> {
        let trace = self.facts.trace;
        let of_test =
            self.facts.proven.iter().filter(|(polluter, _)| *polluter == trace.order[test]);
        let reads = |victim: &&TestId| self.accesses.is_read_by(trace, written, victim);
        let victims: BTreeSet<_> = of_test.map(|(_, victim)| victim).filter(reads).collect();
        victims.into_iter().cloned().collect()
    }
}

impl<'t> Polluted<'t> {
    fn join(&mut self, other: Self) {
        let matters_more = self.harmless.is_some() && other.harmless.is_none()
            || self.harmless == other.harmless && self.readers.len() < other.readers.len();
        if !matches!(self.left, Left::State(_)) && self.name != other.name {
            self.name.clone_from(&self.root);
        }
        if let (Left::State(places), Left::State(more)) = (&mut self.left, other.left) {
            if places.iter().all(|known| known.place != more[0].place) {
                let at = if matters_more { 0 } else { places.len() };
                places.insert(at, more[0]);
                self.name.clone_from(&self.root);
            }
            if matters_more {
                (self.stack, self.reset) = (other.stack, other.reset);
            }
        }
        self.harmless = self.harmless.and(other.harmless);
        for (into, from) in [
            (&mut self.tests, other.tests),
            (&mut self.readers, other.readers),
            (&mut self.earlier_readers, other.earlier_readers),
        ] {
            into.extend(from);
            into.sort_unstable();
            into.dedup();
        }
        self.victims.extend(other.victims);
        self.victims.sort_unstable();
        self.victims.dedup();
    }

    fn judge(&mut self, test_classes: &HashSet<&str>) {
        let is_public = match &self.left {
            Left::State(places) => places.iter().any(|pollution| {
                // Test classes are public because frameworks ask for it.
                let root = root_class(&pollution.place);
                let is_of_test = root.is_some_and(|class| test_classes.contains(class));
                pollution.public_root && !is_of_test || is_of_jvm(&pollution.place)
            }),
            Left::Thread | Left::Outside { .. } => true,
        };
        self.rank = if !self.victims.is_empty() {
            Rank::Proven
        } else if self.harmless.is_some() {
            Rank::Harmless
        } else if !self.readers.is_empty() || !self.earlier_readers.is_empty() {
            Rank::Read
        } else if is_public {
            Rank::Public
        } else {
            Rank::Private
        };
    }
}

fn method_of(test: &TestId) -> String {
    format!("{}#{}", test.class(), test.method())
}

/// The innermost frame of the test's own class.
fn own_frame<'t>(stack: &[&'t Frame], test: &TestId) -> Option<&'t Frame> {
    let own = test.top_level_class();
    let mut of_test = stack.iter().filter(|frame| {
        frame.class.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    });
    of_test.next().copied()
}
