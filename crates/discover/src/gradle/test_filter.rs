//! Gradle's test filters, as far as they choose classes.

/// The `filter` block of a test task, with `--tests` of the command line.
pub(super) struct TestFilter {
    pub(super) included: Vec<String>,
    pub(super) excluded: Vec<String>,
}

impl TestFilter {
    /// Whether tests of the class may run. A filter that names methods keeps
    /// their class as a whole.
    pub(super) fn keeps(&self, class: &str) -> bool {
        let included = self.included.is_empty()
            || self.included.iter().any(|pattern| {
                chooses_class(pattern, class)
                    || class_part(pattern).is_some_and(|part| chooses_class(part, class))
            });
        included && !self.excluded.iter().any(|pattern| chooses_class(pattern, class))
    }

    /// Whether some pattern tells methods of one class apart.
    pub(super) fn names_methods(&self) -> bool {
        let patterns = self.included.iter().chain(&self.excluded);
        patterns.filter_map(|pattern| pattern.rsplit_once('.')).any(|(class, method)| {
            let starts_upper = |name: &str| name.starts_with(|c: char| c.is_uppercase());
            let simple = class.rsplit('.').next().unwrap_or(class);
            starts_upper(simple) && !starts_upper(method) && method != "*"
        })
    }
}

fn class_part(pattern: &str) -> Option<&str> {
    pattern.rsplit_once('.').map(|(class, _)| class)
}

/// A pattern that starts with an upper-case letter is about simple names.
fn chooses_class(pattern: &str, class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let by_simple_name = pattern.starts_with(|c: char| c.is_uppercase());
    matches(pattern, class) || by_simple_name && matches(pattern, simple)
}

/// `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            tail.char_indices()
                .map(|(at, _)| at)
                .chain([tail.len()])
                .any(|at| matches(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(included: &[&str], excluded: &[&str]) -> TestFilter {
        let owned = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect();
        TestFilter { included: owned(included), excluded: owned(excluded) }
    }

    #[test]
    fn classes_are_chosen_by_full_or_simple_name() {
        assert!(filter(&[], &[]).keeps("a.FooTest"));
        assert!(filter(&["*FooTest"], &[]).keeps("a.FooTest"));
        assert!(filter(&["FooTest"], &[]).keeps("a.FooTest"));
        assert!(filter(&["a.*"], &[]).keeps("a.FooTest"));
        assert!(!filter(&["b.*"], &[]).keeps("a.FooTest"));
        assert!(!filter(&["fooTest"], &[]).keeps("a.fooTest"));
        assert!(!filter(&["*Test"], &["*Foo*"]).keeps("a.FooTest"));
    }

    #[test]
    fn a_method_keeps_its_class() {
        let filter = filter(&["a.FooTest.works"], &[]);
        assert!(filter.keeps("a.FooTest") && filter.names_methods());
        assert!(!filter.keeps("a.BarTest"));
    }

    #[test]
    fn an_excluded_method_does_not_exclude_its_class() {
        let filter = filter(&[], &["a.FooTest.works"]);
        assert!(filter.keeps("a.FooTest") && filter.names_methods());
        assert!(
            !super::TestFilter { included: vec![], excluded: vec!["*.FooTest".into()] }
                .names_methods()
        );
    }
}
