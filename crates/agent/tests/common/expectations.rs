//! What a scenario expects, from the comments of its source.
//!
//! Before a method `// R PATH` is a read and `// W PATH: OLD -> NEW` a write
//! that must be reported; values may be left out. In a path `*` stands for
//! anything. Nothing else may be reported of what is reached from a static of
//! the scenario; statics of the JDK may be read and written besides.

use std::collections::BTreeMap;

use residue_model::trace::{Epoch, Trace};

#[derive(Debug, Default, Clone)]
pub(crate) struct Expected {
    pub(crate) accesses: Vec<String>,
}

/// By position of the test.
pub(crate) fn parse(source: &str) -> BTreeMap<usize, Expected> {
    let mut expected = BTreeMap::new();
    let mut next = Expected::default();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("// ") {
            if text.starts_with("R ") || text.starts_with("W ") {
                next.accesses.push(text.to_owned());
            }
        } else if let Some(rest) = line.strip_prefix("static void t") {
            let number = rest.split('(').next().unwrap().parse().unwrap();
            expected.insert(number, std::mem::take(&mut next));
        }
    }
    assert!(!expected.is_empty(), "a scenario without tests");
    expected
}

/// The accesses of an epoch in the same form.
pub(crate) fn seen(trace: &Trace, epoch: &Epoch) -> Vec<String> {
    let reads = epoch.reads.iter().map(|read| format!("R {}", trace.path(read.location)));
    let writes = epoch.writes.iter().map(|write| {
        let show = |value: &Option<_>| {
            value
                .as_ref()
                .map_or("?".to_owned(), |value: &residue_model::trace::Value| value.to_string())
        };
        format!("W {}: {} -> {}", trace.path(write.location), show(&write.old), show(&write.new))
    });
    let mut all: Vec<String> = reads.chain(writes).map(|text| without_numbers(&text)).collect();
    all.sort();
    all
}

/// Ids of objects and numbers of hidden classes differ from run to run.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['@', '/', '$']) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = |text: &str| text.chars().take_while(char::is_ascii_hexdigit).count();
        if rest.starts_with('@') {
            rest = &rest[1 + digits(&rest[1..])..];
        } else if rest.starts_with("/0x") {
            rest = &rest[3 + digits(&rest[3..])..];
        } else if let Some(after) = rest.strip_prefix("$$Lambda") {
            kept.push_str("$$Lambda");
            rest = after;
            if let Some(number) = rest.strip_prefix('$') {
                rest = &number[number.chars().take_while(char::is_ascii_digit).count()..];
            }
        } else {
            kept.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    kept + rest
}

/// Whether an expectation is about this access.
pub(crate) fn is_met(expected: &str, seen: &str) -> bool {
    let names_values = expected.starts_with("W ") && expected.contains(": ");
    let is_read = expected.starts_with("R ");
    let path_end =
        if names_values || is_read { seen.len() } else { seen.find(": ").unwrap_or(seen.len()) };
    let seen = &seen[..path_end];
    match expected.split_once('*') {
        None => seen == expected,
        Some((start, end)) => seen.starts_with(start) && seen.ends_with(end),
    }
}
