//! What the sources in `fixtures/dependences` say about their tests.
//!
//! Each line comment holds one mark; marks belong to the next method:
//!
//! ```text
//! victim-of(SETS)        passes alone, fails after any one of these sets
//! brittle-needs(SETS)    fails alone, passes after any one of these sets
//! caused-by(WAY, WAY)    through the state with these names
//! cleaner(TEST)          lets the victim pass again
//! fixture-artefact       happens only where a class is split
//! found-by(WORD WORD)    only these algorithms find it; all do without this
//! non-deterministic      varies by itself: must be told, but not as a finding
//! self-dependent         would fail when run twice: must not be told at all
//! as(TEST)               the test's id, if it is not simply class and method
//! SETS = SET | SET       alternatives
//! SET  = TEST + TEST     all of them, in any order
//!      = TEST then TEST  all of them, in this order
//! TEST = Class#method    of the same package
//! ```
//!
//! A test without marks is independent, and so is one that is self-dependent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use residue_detect::{Algorithm, Role};

/// What is expected of a suite.
#[derive(Debug, Default, Clone)]
pub struct Marks {
    pub dependences: BTreeMap<String, Dependence>,
    pub non_deterministic: BTreeSet<String>,
}

/// A test that must be found.
#[derive(Debug, Clone)]
pub struct Dependence {
    pub role: Role,
    pub sets: Vec<Set>,
    pub causes: BTreeSet<String>,
    pub cleaners: BTreeSet<String>,
    pub fixture_artefact: bool,
    found_by: Option<Vec<Algorithm>>,
}

/// Tests that together flip another one.
#[derive(Debug, Clone)]
pub struct Set {
    ordered: bool,
    pub tests: Vec<String>,
}

impl Marks {
    pub fn read(sources: &Path) -> Self {
        let mut marks = Self::default();
        for file in java_files(sources) {
            let inside = file.strip_prefix(sources).unwrap().with_extension("");
            let class = inside.to_str().unwrap().replace('/', ".");
            marks.add(&class, &fs::read_to_string(&file).unwrap());
        }
        assert!(!marks.dependences.is_empty() || sources.ends_with("clean/src"), "no mark found");
        marks
    }

    /// What of it these algorithms must find.
    pub fn for_algorithms(&self, algorithms: &[Algorithm]) -> Self {
        let mut some = self.clone();
        some.dependences.retain(|_, dependence| match &dependence.found_by {
            None => true,
            Some(finders) => algorithms.iter().any(|algorithm| finders.contains(algorithm)),
        });
        some
    }

    fn add(&mut self, class: &str, source: &str) {
        let mut pending = Vec::new();
        for line in source.lines().map(str::trim) {
            if let Some(mark) = line.strip_prefix("// ") {
                pending.push(mark);
            } else if !pending.is_empty()
                && let Some(method) = method_name(line)
            {
                self.attach(class, method, &pending);
                pending.clear();
            }
        }
        assert!(pending.is_empty(), "no method after {pending:?} in {class}");
    }

    fn attach(&mut self, class: &str, method: &str, marks: &[&str]) {
        let package = class.rsplit_once('.').unwrap().0;
        let id = |test: &str| format!("{package}.{}", test.trim());
        let mut test = format!("{class}#{method}");
        let mut relation = None;
        let (mut cleaners, mut fixture_artefact, mut found_by) = (BTreeSet::new(), false, None);
        let mut non_deterministic = false;
        let mut causes = BTreeSet::new();
        for mark in marks {
            let (word, inside) = match mark.strip_suffix(')').and_then(|m| m.split_once('(')) {
                Some((word, inside)) => (word, inside),
                None => (*mark, ""),
            };
            match word {
                "victim-of" => relation = Some((Role::Victim, sets(inside, id))),
                "brittle-needs" => relation = Some((Role::Brittle, sets(inside, id))),
                "caused-by" => causes = inside.split(", ").map(str::to_owned).collect(),
                "cleaner" => {
                    cleaners.insert(id(inside));
                }
                "fixture-artefact" => fixture_artefact = true,
                "found-by" => found_by = Some(algorithms(inside)),
                "non-deterministic" => non_deterministic = true,
                "self-dependent" => {}
                "as" => test = id(inside),
                other => panic!("`{other}` in {class} is no mark"),
            }
        }
        if non_deterministic {
            self.non_deterministic.insert(test.clone());
        }
        if let Some((role, sets)) = relation {
            let dependence =
                Dependence { role, sets, causes, cleaners, fixture_artefact, found_by };
            self.dependences.insert(test, dependence);
        }
    }
}

impl Set {
    /// Whether it is these tests, which ran in this order.
    pub fn is(&self, tests: &[String]) -> bool {
        let sorted = |tests: &[String]| tests.iter().cloned().collect::<BTreeSet<_>>();
        if self.ordered { self.tests == tests } else { sorted(&self.tests) == sorted(tests) }
    }
}

fn sets(text: &str, id: impl Fn(&str) -> String) -> Vec<Set> {
    let set = |text: &str| {
        let ordered = text.contains(" then ");
        let separator = if ordered { " then " } else { " + " };
        Set { ordered, tests: text.split(separator).map(&id).collect() }
    };
    text.split(" | ").map(set).collect()
}

fn algorithms(words: &str) -> Vec<Algorithm> {
    let algorithm =
        |word| Algorithm::from_word(word).unwrap_or_else(|| panic!("`{word}` is no algorithm"));
    words.split(' ').map(algorithm).collect()
}

fn method_name(line: &str) -> Option<&str> {
    let (before, _) = line.split_once('(')?;
    Some(before.split_once("void ")?.1)
}

pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(java_files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn marks_belong_to_the_next_method() {
    let source = "// victim-of(A#x + B#y | C#z then D#w)\n// cleaner(E#v)\n// found-by(pairs)\n\
                  @Test\npublic void first() {\n}\n@Test public void second() {}\n\
                  // as(T$In#third[1])\n// non-deterministic\n@Test\nvoid third() {}";
    let mut marks = Marks::default();
    marks.add("p.T", source);
    assert_eq!(marks.dependences.keys().collect::<Vec<_>>(), ["p.T#first"]);
    let first = &marks.dependences["p.T#first"];
    let run = |tests: &[&str]| tests.iter().map(|&test| test.to_owned()).collect::<Vec<_>>();
    assert!(first.sets[0].is(&run(&["p.B#y", "p.A#x"])));
    assert!(first.sets[1].is(&run(&["p.C#z", "p.D#w"])));
    assert!(!first.sets[1].is(&run(&["p.D#w", "p.C#z"])), "the order counts");
    assert_eq!(first.cleaners, BTreeSet::from(["p.E#v".to_owned()]));
    assert_eq!(marks.non_deterministic, BTreeSet::from(["p.T$In#third[1]".to_owned()]));
    assert!(marks.for_algorithms(&[Algorithm::Reverse]).dependences.is_empty());
    assert_eq!(marks.for_algorithms(&[Algorithm::Pairs]).dependences.len(), 1);
}
