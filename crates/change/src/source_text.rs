//! The little that must be known of source text: its package, the words in it,
//! and where a constant is declared. No parser: where in doubt, more is found.

/// The package that the text declares; empty for none.
pub(crate) fn package(text: &str) -> String {
    let mut parts = Vec::new();
    for line in without_comments(text).lines().map(str::trim).filter(|line| !line.is_empty()) {
        // Annotations of a package file or a Kotlin file may come first.
        if line.starts_with('@') {
            continue;
        }
        let Some(rest) = line.strip_prefix("package") else { break };
        if !rest.starts_with(char::is_whitespace) {
            break;
        }
        let name = rest.trim().split([';', '{']).next().unwrap_or_default();
        parts.push(name.split_whitespace().collect::<String>());
    }
    parts.join(".")
}

/// Whether a word stands in the text, not only a part of a longer one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The statements that give a value to something and name this, however they
/// are laid out: its declaration is among them.
pub(crate) fn declarations(text: &str, name: &str) -> Vec<String> {
    let text = without_comments(text);
    let gives = |statement: &&str| statement.contains('=') && has_word(statement, name);
    let statements = text.split([';', '{', '}']).filter(gives);
    let words = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ");
    statements.map(words).collect()
}

/// Comments become a space each. What looks like a comment inside a text is
/// taken for one, which does no harm here.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        kept.push_str(&rest[..at]);
        kept.push(' ');
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        let after = rest[at + 2..].find(end).map(|found| at + 2 + found);
        // The end of a line stays, since lines are looked at.
        let skipped = if end == "\n" { 0 } else { end.len() };
        rest = after.map_or("", |after| &rest[after + skipped..]);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_stands_behind_comments() {
        let text = "/* package of.license; */\n// package no\n@Fine package a.b ;\nclass C {}";
        assert_eq!(package(text), "", "an annotation on the same line hides it");
        assert_eq!(package("/* package x; */\n\n package  a.b ; class C {}"), "a.b");
        assert_eq!(package("package a\npackage b\nobject C"), "a.b");
        assert_eq!(package("import x.Y;\npackage a;"), "");
        assert_eq!(package("packaged();"), "");
    }

    #[test]
    fn a_word_is_no_part_of_a_longer_one() {
        assert!(has_word("int x = MAX;", "MAX") && has_word("Limits.MAX", "MAX"));
        assert!(!has_word("MAXIMUM + MAX_2 + aMAX", "MAX"));
    }

    #[test]
    fn a_declaration_is_found_with_its_value() {
        let text = "interface L { int MAX = 2 * // two\n BASE; String S = \"a\"; } x(MAX);";
        assert_eq!(declarations(text, "MAX"), ["int MAX = 2 * BASE"]);
        assert_eq!(declarations("int A = 1, B = 2;", "B"), ["int A = 1, B = 2"]);
        assert!(declarations(text, "NONE").is_empty());
    }
}
