//! Reading rules.

use crate::glob::Glob;
use crate::rule::{Effect, Only, Origin, Rule, Subject};

/// A text that is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a rule for fields: {problem}; for example `org.acme.cache.**`, `org.acme.Clock#now` or `@org.acme.Shared`"
)]
pub struct BadRule {
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// A line of a rule text that is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct BadRules {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub source: BadRule,
}

pub(crate) fn signed(text: &str, origin: Origin) -> Result<Rule, BadRule> {
    let trimmed = text.trim();
    let (effect, pattern) = if let Some(pattern) = trimmed.strip_prefix('-') {
        (Effect::Ignore, pattern)
    } else if let Some(pattern) = trimmed.strip_prefix('+') {
        (Effect::Track, pattern)
    } else {
        let problem = "it starts with neither `-` (ignore) nor `+` (track)";
        return Err(BadRule { text: trimmed.to_owned(), problem });
    };
    unsigned(pattern, effect, origin)
}

pub(crate) fn unsigned(pattern: &str, effect: Effect, origin: Origin) -> Result<Rule, BadRule> {
    let text = pattern.trim().to_owned();
    match only_and_subject(&text) {
        Ok((only, subject)) => Ok(Rule { effect, origin, text, only, subject }),
        Err(problem) => Err(BadRule { text, problem }),
    }
}

fn only_and_subject(text: &str) -> Result<(Option<Only>, Subject), &'static str> {
    let (only, rest) = match text.split_once(char::is_whitespace) {
        Some(("static", rest)) => (Some(Only::Static), rest.trim_start()),
        Some(("instance", rest)) => (Some(Only::Instance), rest.trim_start()),
        _ => (None, text),
    };
    Ok((only, subject(rest)?))
}

fn subject(text: &str) -> Result<Subject, &'static str> {
    if text.is_empty() {
        return Err("it names no class");
    }
    if text.contains(char::is_whitespace) {
        return Err("it has a space in it (only `static` or `instance` may stand before a name)");
    }
    if text.contains(['/', ';', '(']) {
        return Err("classes are written as in Java source, with dots, and `$` for nested ones");
    }
    if let Some(annotation) = text.strip_prefix('@') {
        if annotation.is_empty() || annotation.contains(['#', '@']) {
            return Err("after `@` it needs the name of an annotation and nothing else");
        }
        let simple = !annotation.contains('.') && !annotation.contains("**");
        return Ok(Subject::Annotated { annotation: Glob::new(annotation), simple });
    }
    let (classes, field) = match text.split_once('#') {
        Some((_, "")) => return Err("after `#` it needs the name of a field"),
        Some((_, field)) if field.contains('#') => return Err("it has more than one `#`"),
        Some((_, field)) if field.contains('.') => return Err("a field's name has no dot"),
        Some((classes, field)) => (classes, Some(Glob::new(field))),
        None => (text, None),
    };
    if classes.is_empty() {
        return Err("before `#` it needs a class, or `**` for any");
    }
    if classes.starts_with('.') || classes.ends_with('.') || classes.contains("..") {
        return Err("a class has a name between its dots; `a.b.**` is a package with all below it");
    }
    Ok(Subject::Fields { classes: Glob::new(classes), field })
}

/// The rule on a line; `None` for empty lines and comments.
pub(crate) fn line(text: &str, origin: Origin) -> Result<Option<Rule>, BadRule> {
    // A field's name follows `#` directly, so a comment is told by its space.
    let code = match text.find(" #") {
        Some(at) => &text[..at],
        None => text,
    };
    let code = code.trim();
    if code.is_empty() || code.starts_with('#') { Ok(None) } else { signed(code, origin).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_rules_are_refused_with_the_reason() {
        let cases = [
            ("org.acme.A", "neither `-`"),
            ("-", "names no class"),
            ("- a.B c", "a space in it"),
            ("- java/lang/String", "with dots"),
            ("- @", "name of an annotation"),
            ("- a.B#", "name of a field"),
            ("- #x", "`**` for any"),
            ("- a.B#c#d", "more than one"),
            ("- a.B#c.d", "has no dot"),
            ("- a.b.", "package with all below"),
        ];
        for (text, reason) in cases {
            let refused = Rule::parse(text, Origin::CommandLine).unwrap_err().to_string();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn a_rule_prints_as_it_was_written_and_where_it_stands() {
        let rule = Rule::parse("-  static a.B#c ", Origin::ProjectFile).unwrap();
        assert_eq!(rule.to_string(), "- static a.B#c (residue.toml)");
        let same = Rule::ignore("static a.B#c", Origin::ProjectFile).unwrap();
        assert_eq!(rule, same);
    }

    #[test]
    fn comments_are_whole_lines_or_follow_a_space() {
        let parsed = |text| line(text, Origin::CommandLine).unwrap().map(|rule| rule.text);
        assert_eq!(parsed("  # nothing"), None);
        assert_eq!(parsed("- a.B#c # why"), Some("a.B#c".into()));
    }
}
