//! Annotations with which a framework itself keeps dependencies when it runs
//! tests in parallel.

use std::collections::{BTreeMap, BTreeSet};

use residue_graph::{DependencyGraph, DependencyKind};
use residue_model::trace::PathRoot;
use residue_model::{Framework, TestCase};

use crate::CalledWith;
use crate::java_string::java_string;
use crate::run_text::in_suite;
use crate::style::{DIM, HEADING, NAME, paint};
use crate::units::count;

/// What is shown of each kind, unless all is wanted.
const SHOWN: usize = 20;
/// Methods of one class that are named before the whole class is meant.
const NAMED_METHODS: usize = 6;

/// A suite with the dependencies that shall be kept.
#[derive(Debug)]
pub struct Advice<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// The tests, in reference order.
    pub tests: &'a [TestCase],
    /// Pairs of a test and one that it needs before it, by position.
    pub needs: Vec<(usize, usize)>,
    /// Through which state.
    pub graph: &'a DependencyGraph<'a>,
    /// Whether everything is wanted, however long.
    pub all: bool,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

impl Advice<'_> {
    fn shown(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN }
    }

    fn more(&self, all: usize) -> String {
        match all.saturating_sub(self.shown()) {
            0 => String::new(),
            hidden => format!("      and {hidden} more, see --all\n"),
        }
    }
}

/// Which tests write and which only read a piece of state.
#[derive(Default)]
struct Users {
    writers: BTreeSet<usize>,
    readers: BTreeSet<usize>,
}

/// What to write above which tests.
pub fn advice_text(advice: &Advice<'_>) -> String {
    let mut text = format!(
        "{}: {}{}\n",
        paint(HEADING, "advice"),
        in_suite(advice.suite),
        count(advice.tests.len(), "test"),
    );
    if advice.needs.is_empty() {
        return text + "  nothing to keep: the tests may run in any order and in parallel\n";
    }
    let needy: BTreeSet<usize> = advice.needs.iter().map(|(test, _)| *test).collect();
    let needed: BTreeSet<usize> = advice.needs.iter().map(|(_, needed)| *needed).collect();
    let verb = if needy.len() == 1 { "needs" } else { "need" };
    let pairs = count(advice.needs.len(), "pair");
    text += &format!(
        "  {} {verb} what {} left ({pairs})\n",
        count(needy.len(), "test"),
        count(needed.len(), "other test")
    );
    let has = |framework| advice.tests.iter().any(|test| test.framework == framework);
    if has(Framework::Platform) {
        text += &jupiter(advice);
    }
    if has(Framework::TestNg) {
        text += &testng(advice);
    }
    if has(Framework::JUnit3) || has(Framework::JUnit4) {
        text += &format!(
            "\n{}\n   JUnit 3 and 4 have no such annotations. What keeps the dependencies: {} or {}\n",
            paint(HEADING, "JUnit 3 and 4"),
            paint(NAME, advice.called_with.running("test")),
            paint(NAME, advice.called_with.running("schedule --shards N")),
        );
    }
    text
}

/// Locks for state; the order within a class needs one thread.
fn jupiter(advice: &Advice<'_>) -> String {
    let mut resources: Vec<_> = resources(advice).into_iter().collect();
    resources
        .sort_by_key(|(_, users)| std::cmp::Reverse(users.writers.len() + users.readers.len()));
    let mut text = format!("\n{}\n", paint(HEADING, "JUnit Jupiter: tests that must not overlap"));
    for (resource, users) in resources.iter().take(advice.shown()) {
        let only_readers: BTreeSet<usize> =
            users.readers.difference(&users.writers).copied().collect();
        text += &format!("   @ResourceLock({resource})\n");
        text += &classes(advice, &users.writers);
        if !only_readers.is_empty() {
            text +=
                &format!("   @ResourceLock(value = {resource}, mode = ResourceAccessMode.READ)\n");
            text += &classes(advice, &only_readers);
        }
    }
    text += &advice.more(resources.len());
    let ordered = ordered_classes(advice);
    if !ordered.is_empty() {
        text +=
            "   @Execution(ExecutionMode.SAME_THREAD), because the order of their tests matters\n";
        for class in ordered.iter().take(advice.shown()) {
            text += &format!("      {}\n", paint(NAME, class));
        }
        text += &advice.more(ordered.len());
    }
    text + &format!(
        "   {}\n",
        paint(
            DIM,
            "a lock keeps tests apart, it does not order them: needs across classes take one thread too"
        )
    )
}

/// State by the name that a lock can have, JUnit's own where it has one.
fn resources(advice: &Advice<'_>) -> BTreeMap<String, Users> {
    let mut resources: BTreeMap<String, Users> = BTreeMap::new();
    for (test, needed) in &advice.needs {
        let mut names = BTreeSet::new();
        let read = advice.graph.depends_on(DependencyKind::ReadAfterWrite, *test);
        for dependency in read.filter(|dependency| dependency.earlier() == *needed) {
            let paths = dependency.flows().map(|flow| advice.graph.trace().path(flow.location));
            names.extend(paths.map(|path| lock_name(&path.root)));
        }
        if names.is_empty() {
            // State that no trace shows still has somebody who leaves it.
            names.insert(java_string(advice.tests[*needed].id.class()));
        }
        for name in names {
            let users = resources.entry(name).or_default();
            users.readers.insert(*test);
            users.writers.insert(*needed);
        }
    }
    resources
}

fn lock_name(root: &PathRoot) -> String {
    match root {
        PathRoot::Static { class, field } => match (class.as_ref(), field.as_ref()) {
            ("java.lang.System", "props") => "Resources.SYSTEM_PROPERTIES".into(),
            ("java.lang.System", "out") => "Resources.SYSTEM_OUT".into(),
            ("java.lang.System", "err") => "Resources.SYSTEM_ERR".into(),
            ("java.util.Locale", _) => "Resources.LOCALE".into(),
            ("java.util.TimeZone", _) => "Resources.TIME_ZONE".into(),
            (class, field) => java_string(&format!("{class}.{field}")),
        },
        PathRoot::SystemProperty(_) => "Resources.SYSTEM_PROPERTIES".into(),
        other => java_string(&other.to_string()),
    }
}

/// Tests by class, methods named where they are few.
fn classes(advice: &Advice<'_>, tests: &BTreeSet<usize>) -> String {
    let mut methods: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for test in tests {
        let id = &advice.tests[*test].id;
        methods.entry(id.class()).or_default().insert(id.method());
    }
    let line = |(class, methods): (&&str, &BTreeSet<&str>)| {
        let named = match methods.len() {
            few if few <= NAMED_METHODS => {
                format!(": {}", methods.iter().copied().collect::<Vec<_>>().join(", "))
            }
            many => format!(", the class: {many} of its methods"),
        };
        format!("      {}{named}\n", paint(NAME, class))
    };
    methods.iter().take(advice.shown()).map(line).collect::<String>() + &advice.more(methods.len())
}

/// Classes in which a test needs another of the same class.
fn ordered_classes<'a>(advice: &Advice<'a>) -> BTreeSet<&'a str> {
    let class = |test: &usize| advice.tests[*test].id.top_level_class();
    let within = advice.needs.iter().filter(|(test, needed)| class(test) == class(needed));
    within.map(|(test, _)| class(test)).collect()
}

/// The needs themselves: TestNG can say them.
fn testng(advice: &Advice<'_>) -> String {
    let mut needs: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for (test, needed) in &advice.needs {
        let (id, other) = (&advice.tests[*test].id, &advice.tests[*needed].id);
        if (id.class(), id.method()) == (other.class(), other.method()) {
            continue;
        }
        let name = match id.class() == other.class() {
            true => other.method().to_owned(),
            false => format!("{}.{}", other.class(), other.method()),
        };
        needs.entry((id.class(), id.method())).or_default().insert(name);
    }
    let mut text = format!("\n{}\n", paint(HEADING, "TestNG: tests that need others before them"));
    for ((class, method), others) in needs.iter().take(advice.shown()) {
        let quoted: Vec<_> = others.iter().map(|other| java_string(other)).collect();
        text += &format!("   {}\n", paint(NAME, format!("{class}#{method}")));
        text += &format!("      @Test(dependsOnMethods = {{{}}})\n", quoted.join(", "));
    }
    text + &advice.more(needs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_lock_is_a_java_literal_also_with_quotes_in_it() {
        let root = PathRoot::Thread("main".into());
        assert!(root.to_string().contains('"'), "{root}");
        assert_eq!(lock_name(&root), r#""thread \"main\"""#);
    }
}
