//! Finding the rules that concern a class without trying them all.

use std::collections::HashMap;

use crate::rule::{Rule, Subject};

/// Positions of rules by the classes they are about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// Rules about a class and its nested classes.
    by_class: HashMap<String, Vec<usize>>,
    /// Rules about a package, with or without those below it.
    by_package: HashMap<String, Vec<usize>>,
    /// Rules about classes of any other pattern.
    by_pattern: Vec<usize>,
    /// Rules about annotations: any class may carry them.
    everywhere: Vec<usize>,
}

impl Index {
    pub(crate) fn add(&mut self, position: usize, rule: &Rule) {
        let Subject::Fields { classes, .. } = &rule.subject else {
            self.everywhere.push(position);
            return;
        };
        if let Some(class) = classes.literal() {
            self.by_class.entry(class.to_owned()).or_default().push(position);
        } else if let Some(package) = classes.package() {
            self.by_package.entry(package.to_owned()).or_default().push(position);
        } else {
            self.by_pattern.push(position);
        }
    }

    /// Rules that concern a class, strongest first.
    pub(crate) fn of_class<'a>(&self, rules: &'a [Rule], class: &str) -> Vec<&'a Rule> {
        let mut found = self.everywhere.clone();
        for (outer, _) in class.match_indices('$') {
            found.extend(self.by_class.get(&class[..outer]).into_iter().flatten());
        }
        found.extend(self.by_class.get(class).into_iter().flatten());
        let packages = class.match_indices('.').map(|(dot, _)| &class[..dot]);
        let in_packages = packages.filter_map(|package| self.by_package.get(package)).flatten();
        let by_pattern = in_packages.chain(&self.by_pattern);
        found.extend(by_pattern.filter(|position| match &rules[**position].subject {
            Subject::Fields { classes, .. } => classes.matches(class),
            Subject::Annotated { .. } => false,
        }));
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found.into_iter().map(|position| &rules[position]).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Origin, Rule, Rules};

    fn pattern() -> impl Strategy<Value = String> {
        let class = prop::sample::select(vec![
            "a.B", "a.B$C", "a.b.**", "a.**", "a.*", "a.b.*", "**", "*", "a.B*", "**$C", "@Note",
            "@n.Note",
        ]);
        let field = prop::sample::select(vec!["", "#x", "#y*", "#*"]);
        let only = prop::sample::select(vec!["", "static ", "instance "]);
        (only, class, field).prop_map(|(only, class, field)| {
            let field = if class.starts_with('@') { "" } else { field };
            format!("{only}{class}{field}")
        })
    }

    proptest! {
        /// The index only saves work: trying all rules from the last to the
        /// first gives the same answer.
        #[test]
        fn the_last_rule_that_matches_decides(
            written in prop::collection::vec((any::<bool>(), pattern()), 0..12),
            class in prop::sample::select(vec!["a.B", "a.B$C", "a.b.D", "a.b.c.E", "x.Y", "Z", "a.B$C$D"]),
            field in prop::sample::select(vec!["x", "y1", "z"]),
            is_static: bool,
            annotated: bool,
        ) {
            let read = |(track, pattern): &(bool, String)| {
                let make = if *track { Rule::track } else { Rule::ignore };
                make(pattern, Origin::CommandLine).unwrap()
            };
            let rules: Vec<Rule> = written.iter().map(read).collect();
            let annotations: &[&str] = if annotated { &["n.Note"] } else { &[] };
            let about = |rule: &&Rule| match &rule.subject {
                super::Subject::Annotated { .. } => true,
                super::Subject::Fields { classes, .. } => {
                    let nested = |(at, _)| classes.literal() == Some(&class[..at]);
                    classes.matches(class) || class.match_indices('$').any(nested)
                }
            };
            let expected = rules
                .iter()
                .rev()
                .filter(about)
                .find(|rule| rule.matches_field(field, is_static, annotations));
            let all = Rules::none().with(rules.clone());
            let decision = all.decide(class, field, is_static, annotations);
            prop_assert_eq!(decision.by, expected);
            let tracked = expected.is_none_or(|rule| rule.effect() == crate::Effect::Track);
            prop_assert_eq!(decision.tracked, tracked);
        }
    }
}
