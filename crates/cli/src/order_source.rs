//! From what the user typed to an order of each suite.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;
use std::{fs, io};

use residue_detect::shuffled;
use residue_model::{BadTestId, OrderError, Suite, TestId, TestOrder, UnknownTest};

use crate::args::OrderArgs;

/// Where the orders of a command come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderSource {
    /// The build's own order.
    Default,
    /// The build's own order from its end.
    Reversed,
    /// A random order by seed.
    Shuffled(u64),
    /// Tests and classes that the user named.
    Listed(Vec<Named>),
}

/// A test or a whole class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// One test.
    Test(TestId),
    /// Every test of a class, nested classes included.
    Class(String),
}

/// Why no order could be made of what the user typed.
#[derive(Debug, thiserror::Error)]
pub enum OrderSourceError {
    /// The order file could not be read.
    #[error("cannot read the order file {path}: {error}")]
    Unreadable {
        /// As the user gave it.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A line or list entry is no test.
    #[error("{place}: {error}")]
    BadName {
        /// File and line, or the option.
        place: String,
        /// Why.
        error: BadTestId,
    },
    /// Nothing to run.
    #[error("{place} names no test: write one test a line, for example `pkg.FooTest#adds`")]
    Empty {
        /// File or option.
        place: String,
    },
    /// The same test twice.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// No suite has this test.
    #[error("{0} (`residue list` shows all tests)")]
    UnknownTest(#[from] UnknownTest),
    /// No suite has tests of this class.
    #[error("no suite has a test of class `{0}` (`residue list` shows all tests)")]
    UnknownClass(String),
}

impl OrderSource {
    /// Reads the options, and the order file if one is given.
    pub fn read(args: &OrderArgs) -> Result<Self, OrderSourceError> {
        if let Some(path) = &args.order {
            return order_file(path);
        }
        if let Some(list) = &args.tests {
            let names = split_list(list).into_iter().map(|name| named(name, "--tests"));
            return listed(names.collect::<Result<_, _>>()?, "--tests");
        }
        Ok(match args.shuffle {
            Some(seed) => Self::Shuffled(seed),
            None if args.reverse => Self::Reversed,
            None => Self::Default,
        })
    }

    /// In words, for reports.
    pub fn describe(&self) -> String {
        match self {
            Self::Default => "in default order".into(),
            Self::Reversed => "default order reversed".into(),
            Self::Shuffled(seed) => format!("shuffled with seed {seed}"),
            Self::Listed(_) => "in the given order".into(),
        }
    }

    /// The order of each suite, `None` for a suite that has no part in it. A
    /// named test that several suites have belongs to each of them.
    pub fn orders(&self, suites: &[&Suite]) -> Result<Vec<Option<TestOrder>>, OrderSourceError> {
        if let Self::Listed(names) = self {
            refuse_unknown(names, suites)?;
        }
        suites.iter().map(|suite| self.order(suite)).collect()
    }

    fn order(&self, suite: &Suite) -> Result<Option<TestOrder>, OrderSourceError> {
        let default = suite.default_order()?;
        let order = match self {
            Self::Default => default,
            Self::Reversed => default.reversed(),
            Self::Shuffled(seed) => shuffled(&default, *seed),
            Self::Listed(names) => {
                let tests = names.iter().flat_map(|name| name.tests_of(&default)).cloned();
                TestOrder::new(tests.collect())?
            }
        };
        Ok((!order.is_empty()).then_some(order))
    }
}

impl Named {
    fn tests_of<'a>(&'a self, default: &'a TestOrder) -> impl Iterator<Item = &'a TestId> {
        default.tests().iter().filter(move |test| match self {
            Self::Test(id) => *test == id,
            Self::Class(class) => test.class() == class || test.top_level_class() == class,
        })
    }
}

fn refuse_unknown(names: &[Named], suites: &[&Suite]) -> Result<(), OrderSourceError> {
    let tests = || suites.iter().flat_map(|suite| &suite.tests).map(|test| &test.id);
    let ids: HashSet<&TestId> = tests().collect();
    let classes: HashSet<&str> =
        tests().flat_map(|id| [id.class(), id.top_level_class()]).collect();
    for name in names {
        match name {
            Named::Class(class) if !classes.contains(class.as_str()) => {
                return Err(OrderSourceError::UnknownClass(class.clone()));
            }
            Named::Test(id) if !ids.contains(id) => {
                let all = Suite {
                    tests: suites.iter().flat_map(|suite| suite.tests.clone()).collect(),
                    unlistable: vec![],
                };
                all.resolve(&TestOrder::new(vec![id.clone()])?)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn order_file(path: &Path) -> Result<OrderSource, OrderSourceError> {
    let shown = path.display().to_string();
    let text = if shown == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| OrderSourceError::Unreadable { path: shown.clone(), error })?;
    // Ids hold a `#` but never start with one, so a leading one is a comment.
    let names = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| named(line, &format!("{shown}, line {}", number + 1)));
    listed(names.collect::<Result<_, _>>()?, &format!("the order file {shown}"))
}

fn listed(names: Vec<Named>, place: &str) -> Result<OrderSource, OrderSourceError> {
    if names.is_empty() {
        return Err(OrderSourceError::Empty { place: place.into() });
    }
    Ok(OrderSource::Listed(names))
}

fn named(text: &str, place: &str) -> Result<Named, OrderSourceError> {
    if text.contains('#') {
        let wrong = |error| OrderSourceError::BadName { place: place.into(), error };
        TestId::parse(text).map(Named::Test).map_err(wrong)
    } else {
        Ok(Named::Class(text.into()))
    }
}

/// Splits at commas, but not at those inside the brackets of an id.
fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use residue_model::{Framework, TestCase};

    use super::*;

    fn suite(ids: &[&str]) -> Suite {
        let case = |id: &&str| TestCase {
            id: TestId::parse(id).unwrap(),
            framework: Framework::JUnit4,
            locator: String::new(),
        };
        Suite { tests: ids.iter().map(case).collect(), unlistable: vec![] }
    }

    fn from_list(list: &str, suite: &Suite) -> Result<Vec<String>, OrderSourceError> {
        let names = split_list(list).into_iter().map(|name| named(name, "--tests"));
        let source = OrderSource::Listed(names.collect::<Result<_, _>>()?);
        let orders = source.orders(&[suite])?;
        Ok(orders[0].as_ref().unwrap().tests().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_class_stands_for_its_tests_and_commas_in_brackets_do_not_split() {
        let suite = suite(&["a.T#x", "a.T$In#y", "a.U#z[int,long]"]);
        let order = from_list("a.U#z[int,long], a.T", &suite).unwrap();
        assert_eq!(order, ["a.U#z[int,long]", "a.T#x", "a.T$In#y"]);
    }

    #[test]
    fn unknown_and_repeated_tests_are_refused_by_name() {
        let suite = suite(&["a.T#x"]);
        let message = |list| from_list(list, &suite).unwrap_err().to_string();
        assert!(message("a.T#nope").starts_with("the suite has no test `a.T#nope`"));
        assert!(message("a.Nope").starts_with("no suite has a test of class `a.Nope`"));
        assert!(message("a.T,a.T#x").contains("listed twice"));
    }
}
