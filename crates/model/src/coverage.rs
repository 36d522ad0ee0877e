//! Which code of the project each test runs.
//!
//! A test counts as if it were the first to need every class that it uses:
//! what class initialisers run counts for every test that uses the class, not
//! only for the one that happened to come first.

use crate::trace::Name;

/// The project's code, and which of it each test runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Classes of the project that were loaded or named, sorted by name.
    pub classes: Vec<CodeClass>,
    /// Methods with code, by class.
    pub units: Vec<CodeUnit>,
    /// By position in the order that was traced.
    pub tests: Vec<TestCoverage>,
    /// What ran before the first class began, and counts for no test alone.
    pub always: TestCoverage,
}

/// A class of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeClass {
    /// Its binary name.
    pub name: Name,
    /// Its source file, without a folder, if the class tells.
    pub source: Option<Name>,
    /// Superclass and interfaces, as far as they are in
    /// [`Coverage::classes`].
    pub supers: Vec<usize>,
    /// False if some of its code runs without anybody knowing when: every test
    /// may use it.
    pub is_watched: bool,
}

/// A method with code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeUnit {
    /// Its class, as a position in [`Coverage::classes`].
    pub class: usize,
    /// Its name.
    pub method: Name,
    /// Its descriptor, as class files have it.
    pub descriptor: Name,
    /// Its lines with code, ascending; empty if the class does not tell them.
    pub lines: Vec<u32>,
    /// The number of its first statement.
    pub first_statement: u32,
}

/// What one test runs. All lists are ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCoverage {
    /// Statements, see [`CodeUnit::statements`].
    pub statements: Vec<u32>,
    /// Methods, as positions in [`Coverage::units`].
    pub units: Vec<u32>,
    /// Classes that bear on the test, as positions in [`Coverage::classes`]:
    /// those of its methods and of [`Coverage::always`], those it names
    /// otherwise, and the supertypes of all of them.
    pub classes: Vec<u32>,
}

impl CodeUnit {
    /// A statement is a line of a method. A method without lines is one
    /// statement as a whole. Statements are numbered through all methods.
    pub fn statements(&self) -> std::ops::Range<u32> {
        self.first_statement..self.first_statement + self.lines.len().max(1) as u32
    }
}

impl Coverage {
    /// How many statements there are.
    pub fn statements(&self) -> usize {
        self.units.last().map_or(0, |unit| unit.statements().end as usize)
    }

    /// The class of this name, as a position in [`Coverage::classes`].
    pub fn class(&self, name: &str) -> Option<usize> {
        self.classes.binary_search_by(|class| (*class.name).cmp(name)).ok()
    }

    /// The lines of a method that a test runs.
    pub fn lines(&self, test: usize, unit: usize) -> impl Iterator<Item = u32> {
        let unit = &self.units[unit];
        let all = &self.tests[test].statements;
        let range = unit.statements();
        let from = all.partition_point(|statement| *statement < range.start);
        let to = all.partition_point(|statement| *statement < range.end);
        let lines = all[from..to].iter().map(move |statement| statement - range.start);
        lines.filter_map(|line| unit.lines.get(line as usize).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(method: &str, lines: &[u32], first_statement: u32) -> CodeUnit {
        let (method, descriptor) = (method.into(), "()V".into());
        CodeUnit { class: 0, method, descriptor, lines: lines.to_vec(), first_statement }
    }

    #[test]
    fn statements_are_numbered_through_all_methods() {
        let coverage = Coverage {
            units: vec![unit("a", &[3, 4, 9], 0), unit("native", &[], 3), unit("b", &[20, 21], 4)],
            tests: vec![TestCoverage { statements: vec![1, 2, 3, 5], ..TestCoverage::default() }],
            ..Coverage::default()
        };
        assert_eq!(coverage.statements(), 6);
        let lines = |unit| coverage.lines(0, unit).collect::<Vec<_>>();
        assert_eq!((lines(0), lines(1), lines(2)), (vec![4, 9], vec![], vec![21]));
    }
}
