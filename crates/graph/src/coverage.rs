//! From what ran when to what each test runs.
//!
//! A class initialiser runs once, for whoever is first to need the class. So
//! what ran while a class was initialised counts for every test that *uses* the
//! class: it runs code of it, or code that names a static member of it, or it
//! uses a subclass. This goes on through what those initialisers use in turn.
//! What a test runs thus does not depend on the order that was traced.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use residue_model::trace::{ClassCode, Counts, EpochKind, Name, Stretch, TracedCode};
use residue_model::{CodeClass, CodeUnit, Coverage, TestCoverage};

use crate::epochs::Openings;
use crate::graph::DependencyGraph;

impl DependencyGraph<'_> {
    /// What each test runs; nothing if the trace does not tell.
    pub fn coverage(&self) -> Option<Coverage> {
        let traced = self.trace.code.as_ref()?;
        let code = CodeMap::new(traced);
        let openings = self.openings();
        let mut reached_always = Vec::new();
        let mut reached = vec![Vec::new(); self.tests()];
        for stretch in &traced.stretches {
            for user in self.users(stretch, &openings) {
                let blocks = user.map_or(&mut reached_always, |test| &mut reached[test]);
                blocks.extend(&stretch.blocks);
            }
        }
        let mut uses = Uses::new(&code, code.initialisers(traced));
        let always = uses.of(reached_always);
        let of_test = |blocks| {
            let mut test = uses.of(blocks);
            test.classes.extend(&always.classes);
            test.classes.sort_unstable();
            test.classes.dedup();
            test
        };
        let tests = reached.into_iter().map(of_test).collect();
        Some(Coverage { classes: code.classes, units: code.units, tests, always })
    }

    /// The tests that a stretch counts for; none for all of them together.
    /// Class fixtures, and what runs between tests, belong to all tests of the
    /// outermost class, or of a suite of classes, that run in a row.
    fn users(&self, stretch: &Stretch, openings: &Openings) -> Vec<Option<usize>> {
        let epoch = self.trace.epoch(stretch.epoch);
        match (stretch.counts, epoch.kind) {
            (Counts::ForAll, _) => vec![None],
            (Counts::ForEpoch, EpochKind::Test) => vec![Some(epoch.test)],
            _ => {
                let class = self.groups.around(epoch.test);
                let suite = openings.around(epoch.test);
                let all = class.start.min(suite.start)..class.end.max(suite.end);
                all.map(Some).collect()
            }
        }
    }
}

/// Blocks by their numbers, and what they stand for.
struct CodeMap {
    classes: Vec<CodeClass>,
    superclasses: Vec<Option<usize>>,
    units: Vec<CodeUnit>,
    /// By number.
    blocks: Vec<Option<Block>>,
    /// From loaded classes to those by name.
    loaded: Vec<usize>,
}

struct Block {
    unit: usize,
    statements: Vec<u32>,
    named: Vec<usize>,
}

/// A method of a class.
type UnitKey = (usize, Name, Name);

impl CodeMap {
    fn new(traced: &TracedCode) -> Self {
        let names = names(traced);
        let number = |name: &Name| names.get(name).copied();
        let mut classes: Vec<CodeClass> = names
            .keys()
            .map(|name| CodeClass {
                name: name.clone(),
                source: None,
                supers: Vec::new(),
                is_watched: true,
            })
            .collect();
        let mut superclasses = vec![None; classes.len()];
        let mut lines: BTreeMap<UnitKey, BTreeSet<u32>> = BTreeMap::new();
        let mut loaded = Vec::with_capacity(traced.classes.len());
        for class in &traced.classes {
            let known = names[&class.name];
            loaded.push(known);
            let superclass = class.superclass.as_ref().and_then(number);
            superclasses[known] = superclasses[known].or(superclass);
            let supers = superclass.into_iter().chain(class.interfaces.iter().filter_map(number));
            let into = &mut classes[known];
            into.supers.extend(supers);
            into.source = into.source.take().or_else(|| class.source.clone());
            into.is_watched &= class.is_watched && class.methods.iter().all(|one| one.is_watched);
            for method in &class.methods {
                let key = (known, method.name.clone(), method.descriptor.clone());
                let all = method.blocks.iter().flat_map(|block| &block.lines);
                lines.entry(key).or_default().extend(all);
            }
        }
        for class in &mut classes {
            class.supers.sort_unstable();
            class.supers.dedup();
        }
        let (units, by_key) = units(lines);
        let mut all_blocks = Vec::new();
        for class in &traced.classes {
            let found = blocks(class, names[&class.name], &units, &by_key, &number);
            let end = class.first_block as usize + found.len();
            if all_blocks.len() < end {
                all_blocks.resize_with(end, || None);
            }
            for (place, block) in all_blocks[class.first_block as usize..].iter_mut().zip(found) {
                *place = Some(block);
            }
        }
        let blocks = all_blocks;
        Self { classes, superclasses, units, blocks, loaded }
    }

    /// The blocks that ran while each class was initialised.
    fn initialisers(&self, traced: &TracedCode) -> Vec<Vec<u32>> {
        let mut initialisers = vec![Vec::new(); self.classes.len()];
        for stretch in &traced.stretches {
            for class in &stretch.initialising {
                initialisers[self.loaded[*class]].extend(&stretch.blocks);
            }
        }
        initialisers
    }
}

/// All classes that are described or named, in the order of their names.
fn names(traced: &TracedCode) -> BTreeMap<Name, usize> {
    let described = traced.classes.iter().map(|class| &class.name);
    let blocks = traced.classes.iter().flat_map(|class| &class.methods);
    let named = blocks.flat_map(|method| &method.blocks).flat_map(|block| &block.classes);
    let all: BTreeSet<&Name> = described.chain(named).collect();
    all.into_iter().cloned().zip(0..).collect()
}

fn units(lines: BTreeMap<UnitKey, BTreeSet<u32>>) -> (Vec<CodeUnit>, HashMap<UnitKey, usize>) {
    let mut units: Vec<CodeUnit> = Vec::with_capacity(lines.len());
    let mut by_key = HashMap::with_capacity(lines.len());
    for (key, lines) in lines {
        let (class, method, descriptor) = key.clone();
        let first_statement = units.last().map_or(0, |unit| unit.statements().end);
        let lines = lines.into_iter().collect();
        by_key.insert(key, units.len());
        units.push(CodeUnit { class, method, descriptor, lines, first_statement });
    }
    (units, by_key)
}

fn blocks(
    class: &ClassCode,
    known: usize,
    units: &[CodeUnit],
    by_key: &HashMap<UnitKey, usize>,
    number: &impl Fn(&Name) -> Option<usize>,
) -> Vec<Block> {
    let mut found = Vec::new();
    for method in &class.methods {
        let unit = by_key[&(known, method.name.clone(), method.descriptor.clone())];
        let CodeUnit { lines, first_statement, .. } = &units[unit];
        for block in &method.blocks {
            let statement = |line: &u32| {
                let at = lines.binary_search(line).ok()?;
                Some(first_statement + at as u32)
            };
            let statements = match lines.is_empty() {
                true => vec![*first_statement],
                false => block.lines.iter().filter_map(statement).collect(),
            };
            let named = block.classes.iter().filter_map(number).collect();
            found.push(Block { unit, statements, named });
        }
    }
    found
}

/// Finds out what blocks lead to, for one test after the other.
struct Uses<'c> {
    code: &'c CodeMap,
    initialisers: Vec<Vec<u32>>,
    /// Blocks of the current test that are still to be looked at.
    pending: Vec<u32>,
    blocks: Seen,
    classes: Seen,
}

/// A set that is emptied quickly.
struct Seen {
    has: Vec<bool>,
    list: Vec<usize>,
}

impl Seen {
    fn of(size: usize) -> Self {
        Self { has: vec![false; size], list: Vec::new() }
    }

    /// Whether it is new.
    fn insert(&mut self, number: usize) -> bool {
        let is_new = !std::mem::replace(&mut self.has[number], true);
        if is_new {
            self.list.push(number);
        }
        is_new
    }

    fn take(&mut self) -> Vec<usize> {
        self.list.iter().for_each(|number| self.has[*number] = false);
        std::mem::take(&mut self.list)
    }
}

impl<'c> Uses<'c> {
    fn new(code: &'c CodeMap, initialisers: Vec<Vec<u32>>) -> Self {
        let (blocks, classes) = (Seen::of(code.blocks.len()), Seen::of(code.classes.len()));
        Self { code, initialisers, pending: Vec::new(), blocks, classes }
    }

    /// Follows all that was reached, until nothing is new.
    fn of(&mut self, reached: Vec<u32>) -> TestCoverage {
        let code = self.code;
        self.pending = reached;
        while let Some(block) = self.pending.pop() {
            let known = code.blocks.get(block as usize).and_then(Option::as_ref);
            let Some(known) = known.filter(|_| self.blocks.insert(block as usize)) else {
                continue;
            };
            self.use_class(code.units[known.unit].class);
            known.named.iter().for_each(|class| self.use_class(*class));
        }
        let mut above = self.classes.list.clone();
        while let Some(class) = above.pop() {
            let supers = code.classes[class].supers.iter();
            above.extend(supers.filter(|one| self.classes.insert(**one)));
        }
        let blocks = self.blocks.take();
        let known = || blocks.iter().filter_map(|block| code.blocks[*block].as_ref());
        TestCoverage {
            statements: ascending(known().flat_map(|block| block.statements.iter().copied())),
            units: ascending(known().map(|block| block.unit as u32)),
            classes: ascending(self.classes.take().into_iter().map(|class| class as u32)),
        }
    }

    /// A superclass is initialised together with the class; an interface is not.
    fn use_class(&mut self, class: usize) {
        let mut next = Some(class);
        while let Some(class) = next.filter(|class| self.classes.insert(*class)) {
            self.pending.extend(&self.initialisers[class]);
            next = self.code.superclasses[class];
        }
    }
}

fn ascending(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = numbers.collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{BlockCode, EpochIndex, MethodCode, Trace};

    use super::*;
    use crate::testing::Run;

    /// A class with one method that has a block for each entry: classes that
    /// it names. Blocks are lines too.
    fn class(name: &str, superclass: &str, first_block: u32, blocks: &[&[&str]]) -> ClassCode {
        let block = |(number, named): (u32, &&[&str])| BlockCode {
            lines: vec![number],
            classes: named.iter().map(|name| Name::from(*name)).collect(),
        };
        ClassCode {
            name: name.into(),
            source: None,
            superclass: Some(superclass.into()),
            interfaces: vec!["a.I".into()],
            first_block,
            methods: vec![MethodCode {
                name: "run".into(),
                descriptor: "()V".into(),
                blocks: (first_block..).zip(blocks).map(block).collect(),
                is_watched: true,
            }],
            is_watched: true,
        }
    }

    fn stretch(epoch: u32, counts: Counts, initialising: &[usize], blocks: &[u32]) -> Stretch {
        let (initialising, blocks) = (initialising.to_vec(), blocks.to_vec());
        Stretch { epoch: EpochIndex(epoch), counts, initialising, blocks }
    }

    fn three_tests(code: TracedCode) -> Trace {
        let trace = Run::of(&["a.T#x", "a.T#y", "a.U#z"])
            .epoch(EpochKind::BeforeClass, 0, &[], &[])
            .test(0, &[], &[])
            .test(1, &[], &[])
            .epoch(EpochKind::BeforeClass, 2, &[], &[])
            .test(2, &[], &[])
            .trace();
        Trace { code: Some(code), ..trace }
    }

    fn lines(coverage: &Coverage, test: &TestCoverage) -> Vec<u32> {
        let all: Vec<u32> = coverage.units.iter().flat_map(|unit| unit.lines.clone()).collect();
        test.statements.iter().map(|statement| all[*statement as usize]).collect()
    }

    #[test]
    fn fixtures_and_what_runs_between_tests_count_for_all_tests_of_the_class() {
        let classes = vec![class("a.A", "java.lang.Object", 0, &[&[], &[], &[], &[], &[]])];
        let stretches = vec![
            stretch(0, Counts::ForAll, &[], &[0]),
            stretch(0, Counts::ForEpoch, &[], &[1]),
            stretch(1, Counts::ForEpoch, &[], &[2]),
            stretch(1, Counts::ForClass, &[], &[3]),
            stretch(4, Counts::ForEpoch, &[], &[4]),
        ];
        let trace = three_tests(TracedCode { classes, stretches });
        let coverage = DependencyGraph::new(&trace).coverage().unwrap();
        let of = |test: usize| lines(&coverage, &coverage.tests[test]);
        assert_eq!((of(0), of(1), of(2)), (vec![1, 2, 3], vec![1, 3], vec![4]));
        assert_eq!(lines(&coverage, &coverage.always), [0]);
    }

    #[test]
    fn what_an_initialiser_ran_counts_for_all_who_use_the_class() {
        let classes = vec![
            class("a.A", "java.lang.Object", 0, &[&["a.B"], &["a.C"], &[]]),
            class("a.B", "a.Base", 10, &[&["a.D"]]),
            class("a.Base", "java.lang.Object", 20, &[&[]]),
            class("a.D", "java.lang.Object", 30, &[&[]]),
        ];
        let stretches = vec![
            stretch(1, Counts::ForEpoch, &[], &[0]),
            stretch(1, Counts::ForEpoch, &[2], &[20]),
            stretch(1, Counts::ForEpoch, &[1], &[10]),
            stretch(1, Counts::ForEpoch, &[1, 3], &[30]),
            stretch(2, Counts::ForEpoch, &[], &[0]),
            stretch(4, Counts::ForEpoch, &[], &[2]),
        ];
        let trace = three_tests(TracedCode { classes, stretches });
        let coverage = DependencyGraph::new(&trace).coverage().unwrap();
        let of = |test: usize| lines(&coverage, &coverage.tests[test]);
        assert_eq!(of(0), [0, 10, 20, 30]);
        assert_eq!(of(1), of(0), "though everything was initialised before it");
        assert_eq!(of(2), [2]);
        let named = |test: usize| -> Vec<&str> {
            let classes = coverage.tests[test].classes.iter();
            classes.map(|class| &*coverage.classes[*class as usize].name).collect()
        };
        assert_eq!(named(1), ["a.A", "a.B", "a.Base", "a.D"]);
        assert_eq!(named(2), ["a.A"]);
    }

    #[test]
    fn a_trace_without_code_has_no_coverage() {
        let trace = Run::of(&["a.T#x"]).test(0, &[], &[]).trace();
        assert_eq!(DependencyGraph::new(&trace).coverage(), None);
    }
}
