//! What differs between two states of what a suite runs with.
//!
//! An inventory has a digest for each thing, by a word and a name: `class
//! a.b.C`, `file target/classes/a.txt`, `jar x.jar`, and `settings` for all that
//! is not on the class path. It knows what git does not: classes that a
//! compiler changed though their sources stayed as they were, and libraries.

use std::collections::{BTreeMap, BTreeSet};

use crate::diff::How;

/// Something that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedEntry {
    /// What it is.
    pub what: Entry,
    /// What happened to it.
    pub how: How,
}

/// What an entry of an inventory stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A class in a folder, by binary name.
    Class(String),
    /// Another file in a folder of the class path, as a trace calls it.
    File(String),
    /// Something that nobody knows the extent of, in words.
    Anything(String),
}

/// What differs between an earlier inventory and this one.
pub fn compare(
    before: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
) -> Vec<ChangedEntry> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let mut changed = Vec::new();
    for name in names {
        let how = match (before.get(name), now.get(name)) {
            (Some(before), Some(now)) if before == now => continue,
            (Some(_), Some(_)) => How::Modified,
            (None, _) => How::Added,
            (_, None) => How::Deleted,
        };
        changed.push(ChangedEntry { what: entry(name), how });
    }
    changed
}

fn entry(name: &str) -> Entry {
    match name.split_once(' ') {
        Some(("class", class)) => Entry::Class(class.into()),
        Some(("file", file)) => Entry::File(file.into()),
        Some((word, name)) => Entry::Anything(format!("{word} {name}")),
        None if name == "settings" => Entry::Anything("JDK, arguments or properties".into()),
        None => Entry::Anything(name.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_went_and_changed_is_told_by_kind() {
        let inventory = |entries: &[(&str, &str)]| -> BTreeMap<String, String> {
            entries.iter().map(|(name, digest)| (name.to_string(), digest.to_string())).collect()
        };
        let before = inventory(&[("class a.B", "1"), ("class a.C", "1"), ("jar x.jar", "1")]);
        let now = inventory(&[
            ("class a.B", "2"),
            ("file out/a b.txt", "1"),
            ("jar x.jar", "1"),
            ("settings", "1"),
        ]);
        let entry = |what, how| ChangedEntry { what, how };
        let expected = [
            entry(Entry::Class("a.B".into()), How::Modified),
            entry(Entry::Class("a.C".into()), How::Deleted),
            entry(Entry::File("out/a b.txt".into()), How::Added),
            entry(Entry::Anything("JDK, arguments or properties".into()), How::Added),
        ];
        assert_eq!(compare(&before, &now), expected);
        assert!(compare(&now, &now).is_empty());
    }
}
