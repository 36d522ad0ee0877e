//! Fields that were left out, and the rules that say so.

use std::collections::BTreeMap;

use residue_model::trace::{IgnoredField, Name};

use crate::style::{DIM, HEADING, NAME, paint};
use crate::units::{count, grouped};

/// How many fields each rule leaves out, most first.
pub(crate) fn by_rule(ignored: &[IgnoredField]) -> Vec<(&Name, usize)> {
    let mut counts: BTreeMap<&Name, usize> = BTreeMap::new();
    for field in ignored {
        *counts.entry(&field.rule).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, fields)| std::cmp::Reverse(*fields));
    counts
}

/// Every field of a loaded class that was left out, with the rule that decided,
/// then the rules with what each leaves out.
pub fn ignored_text(ignored: &[IgnoredField]) -> String {
    let mut text = String::new();
    for field in ignored {
        let kind = if field.is_static { "static " } else { "" };
        let name = paint(NAME, format!("{}#{}", field.class, field.field));
        text += &format!("{kind}{name}  {}\n", paint(DIM, &field.rule));
    }
    let rules = by_rule(ignored);
    let title =
        format!("{} left out by {}", count(ignored.len(), "field"), count(rules.len(), "rule"));
    text += &format!("{}\n", paint(HEADING, title));
    for (rule, fields) in rules {
        text += &format!("  {:>7}  {rule}\n", grouped(fields));
    }
    text
}
