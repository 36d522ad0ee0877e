//! What has become of polluted places, in the words that people have for it.

use residue_model::trace::{Change, Label, Place, Pollution, Value};

use crate::jvm_values::called;
use crate::polluters_diff::{differing_leaves, shown};
use crate::units::grouped;

/// Changes that are told.
const CHANGES: usize = 4;

/// Of one place its changes, of several the first change of each; each is a line.
pub(crate) fn changes_of(places: &[&Pollution]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut hidden = 0;
    for pollution in places {
        let of_place = if places.len() == 1 { CHANGES } else { 1 };
        for change in pollution.changes.iter().take(of_place) {
            let place = if places.len() == 1 { String::new() } else { below_root(pollution) };
            lines.push(format!("{place}{}", change_text(change)));
        }
        hidden += pollution.changes.len().saturating_sub(of_place);
        hidden += usize::try_from(pollution.unlisted_changes).unwrap_or(0);
    }
    hidden += lines.len().saturating_sub(CHANGES);
    lines.truncate(CHANGES);
    if hidden > 0 {
        lines.push(format!("and {} more changes", grouped(hidden)));
    }
    lines
}

/// The steps from the root on.
fn below_root(pollution: &Pollution) -> String {
    let root = Place { root: pollution.place.root.clone(), steps: vec![] }.to_string();
    let whole = pollution.place.to_string();
    match whole.strip_prefix(&root) {
        None | Some("") => String::new(),
        Some(steps) => format!("{steps} "),
    }
}

fn change_text(change: &Change) -> String {
    let part = match change.label.to_string() {
        part if part.is_empty() => part,
        part => format!("{} ", part.trim_start()),
    };
    let name = |value: &Value, tree| called(value, tree).unwrap_or_else(|| shown(value));
    let old = change.old.as_ref().map(|old| name(old, &change.before));
    let new = change.new.as_ref().map(|new| name(new, &change.after));
    match (old, new) {
        (None, None) if change.label == Label::Order => "order of entries".into(),
        (Some(old), Some(new)) if old == new => {
            let leaves = differing_leaves(change);
            let shown: Vec<_> = leaves
                .iter()
                .take(2)
                .map(|(path, old, new)| format!("{path} {old} -> {new}"))
                .collect();
            match shown.is_empty() {
                true => format!("{part}{old} -> another {new}"),
                false => format!("{part}{old} with {}", shown.join(", ")),
            }
        }
        (old, new) => {
            let nothing = || "nothing".to_owned();
            format!("{part}{} -> {}", old.unwrap_or_else(nothing), new.unwrap_or_else(nothing))
        }
    }
}
