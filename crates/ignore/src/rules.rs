//! All rules together.

use crate::decision::{ClassRules, Decision};
use crate::index::Index;
use crate::parse::{self, BadRules};
use crate::rule::{Origin, Rule};

/// The built-in rules, with the reason for each.
pub const DEFAULTS: &str = include_str!("defaults.rules");

/// Headings that tell the origin of the lines below them, see [`Rules::user_text`].
const SECTIONS: [(Origin, &str); 2] =
    [(Origin::ProjectFile, "[residue.toml]"), (Origin::CommandLine, "[command line]")];

/// Rules in order: the last that matches decides.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    index: Index,
}

impl Rules {
    /// No rule at all: everything is tracked.
    pub fn none() -> Self {
        Self::default()
    }

    /// The built-in rules.
    pub fn defaults() -> Self {
        let mut rules = Self::none();
        for (number, text) in (1..).zip(DEFAULTS.lines()) {
            // Our own file holds no bad line; a test reads it strictly.
            if let Ok(Some(rule)) = parse::line(text, Origin::Defaults { line: number }) {
                rules.push(rule);
            }
        }
        rules
    }

    /// Adds a rule that overrides those before it.
    pub fn push(&mut self, rule: Rule) {
        self.index.add(self.rules.len(), &rule);
        self.rules.push(rule);
    }

    /// These rules, overridden by others.
    pub fn with(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        rules.into_iter().for_each(|rule| self.push(rule));
        self
    }

    /// The rules that are not built in as text, to be handed to another
    /// process that reads it with [`with_user_text`](Self::with_user_text).
    pub fn user_text(&self) -> String {
        let mut text = String::new();
        for (origin, heading) in SECTIONS {
            let of_origin = self.rules.iter().filter(|rule| rule.origin == origin);
            let lines: String =
                of_origin.map(|rule| format!("{} {}\n", rule.effect, rule.text)).collect();
            if !lines.is_empty() {
                text += &format!("{heading}\n{lines}");
            }
        }
        text
    }

    /// These rules, overridden by those of a text that
    /// [`user_text`](Self::user_text) wrote.
    pub fn with_user_text(mut self, text: &str) -> Result<Self, BadRules> {
        let mut origin = Origin::CommandLine;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some((of_section, _)) = SECTIONS.iter().find(|(_, heading)| *heading == line) {
                origin = *of_section;
                continue;
            }
            match parse::line(line, origin) {
                Ok(rule) => rule.into_iter().for_each(|rule| self.push(rule)),
                Err(source) => return Err(BadRules { line: number, source }),
            }
        }
        Ok(self)
    }

    /// The rules in order, weakest first.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// The rules that concern a class, to decide about all its fields.
    /// `class` is its binary name: `java.util.Map$Entry`.
    pub fn of_class(&self, class: &str) -> ClassRules<'_> {
        ClassRules { rules: self.index.of_class(&self.rules, class) }
    }

    /// Decides about one field, see [`ClassRules::decide`].
    pub fn decide(
        &self,
        class: &str,
        field: &str,
        is_static: bool,
        annotations: &[&str],
    ) -> Decision<'_> {
        self.of_class(class).decide(field, is_static, annotations)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_of_the_defaults_is_a_rule_and_none_stands_twice() {
        let mut seen = HashSet::new();
        for (number, text) in (1..).zip(DEFAULTS.lines()) {
            let rule = parse::line(text, Origin::Defaults { line: number })
                .unwrap_or_else(|bad| panic!("line {number}: {bad}"));
            if let Some(rule) = rule {
                assert!(seen.insert(rule.text.clone()), "line {number} repeats `{}`", rule.text);
            }
        }
        assert_eq!(seen.len(), Rules::defaults().iter().count());
    }

    #[test]
    fn the_defaults_decide_as_a_reader_expects() {
        let rules = Rules::defaults();
        let tracked = |class: &str, field: &str, is_static: bool| {
            rules.decide(class, field, is_static, &[]).tracked
        };
        for (class, field) in [
            ("org.acme.Registry", "instance"),
            ("java.lang.System", "props"),
            ("java.util.Locale", "defaultLocale"),
            ("java.util.TimeZone", "defaultTimeZone"),
            ("java.sql.DriverManager", "registeredDrivers"),
            ("javax.servlet.http.HttpServlet", "lStrings"),
            ("com.sun.mail.util.MailLogger", "debug"),
        ] {
            assert!(tracked(class, field, true), "static {class}#{field}");
        }
        for (class, field) in [
            ("java.util.Locale", "cache"),
            ("java.util.concurrent.ThreadLocalRandom", "seeder"),
            ("jdk.internal.loader.ClassLoaders", "BOOT_LOADER"),
            ("org.junit.jupiter.engine.JupiterTestEngine", "x"),
            ("org.acme.Color", "$VALUES"),
            ("org.acme.A$1", "$SwitchMap$org$acme$Color"),
            ("org.acme.A", "$jacocoData"),
            ("residue.runner.Main", "channel"),
        ] {
            assert!(!tracked(class, field, true), "static {class}#{field}");
        }
        for (class, field) in [
            ("java.util.HashMap", "table"),
            ("java.util.ArrayList", "size"),
            ("java.util.concurrent.ConcurrentHashMap", "table"),
            ("java.util.concurrent.atomic.AtomicInteger", "value"),
            ("java.lang.Thread", "threadLocals"),
            ("java.lang.ThreadLocal$ThreadLocalMap", "table"),
            ("java.lang.ThreadLocal$ThreadLocalMap$Entry", "value"),
            ("java.util.logging.Logger$ConfigurationData", "levelValue"),
            ("org.acme.Registry", "modCount"),
        ] {
            assert!(tracked(class, field, false), "instance {class}#{field}");
        }
        for (class, field) in [
            ("java.util.AbstractList", "modCount"),
            ("java.util.AbstractMap", "keySet"),
            ("java.util.HashMap", "entrySet"),
            ("java.lang.Thread", "tid"),
            ("java.util.concurrent.locks.AbstractQueuedSynchronizer", "state"),
            ("org.acme.Foo$MockitoMock$123", "mockitoInterceptor"),
            ("ch.qos.logback.classic.Logger", "childrenList"),
        ] {
            assert!(!tracked(class, field, false), "instance {class}#{field}");
        }
    }

    #[test]
    fn the_user_overrides_the_defaults_and_the_command_line_overrides_the_file() {
        let rules = Rules::defaults().with([
            Rule::ignore("org.acme.**", Origin::ProjectFile).unwrap(),
            Rule::track("static org.junit.Foo#bar", Origin::ProjectFile).unwrap(),
            Rule::track("org.acme.Clock", Origin::CommandLine).unwrap(),
            Rule::ignore("@org.acme.Shared", Origin::CommandLine).unwrap(),
        ]);
        assert!(!rules.decide("org.acme.A", "x", true, &[]).tracked);
        assert!(rules.decide("org.junit.Foo", "bar", true, &[]).tracked);
        let clock = rules.decide("org.acme.Clock", "now", true, &[]);
        assert_eq!(clock.by.unwrap().to_string(), "+ org.acme.Clock (command line)");
        assert!(!rules.decide("org.acme.Clock", "now", true, &["org.acme.Shared"]).tracked);
    }

    #[test]
    fn user_rules_survive_the_way_to_another_process() {
        let user = [
            Rule::ignore("org.acme.**", Origin::ProjectFile).unwrap(),
            Rule::track("static a.B#c", Origin::CommandLine).unwrap(),
            Rule::ignore("@N", Origin::CommandLine).unwrap(),
        ];
        let text = Rules::defaults().with(user.clone()).user_text();
        assert_eq!(text, "[residue.toml]\n- org.acme.**\n[command line]\n+ static a.B#c\n- @N\n");
        let again = Rules::none().with_user_text(&text).unwrap();
        assert_eq!(again.iter().cloned().collect::<Vec<_>>(), user);
        assert_eq!(Rules::defaults().user_text(), "");
        let bad = Rules::none().with_user_text("- a.B\n\nc.D\n").unwrap_err();
        assert!(bad.to_string().starts_with("line 3: `c.D` is not a rule"), "{bad}");
    }
}
