//! Changed state as trees, before and after: what is gone, what is new, and
//! what is around it.

use residue_model::trace::{Change, Pollution, TreeNode, Value};
use residue_pollution::{Left, Polluted};

use crate::PollutersReport;
use crate::polluters_text::outside_change;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, paint};

/// Everything that one polluter leaves changed; nothing if it leaves nothing.
/// `polluter` is a test, a test method or a class.
pub fn polluters_diff(report: &PollutersReport<'_>, polluter: &str) -> Option<String> {
    let is_meant = |one: &&Polluted<'_>| {
        one.polluter == polluter
            || one.tests.iter().any(|test| report.trace.order[*test].as_str() == polluter)
    };
    let meant: Vec<_> = report.ranking.polluted.iter().filter(is_meant).collect();
    if meant.is_empty() {
        return None;
    }
    let mut text = format!("{}\n", paint(HEADING, format!("{polluter} leaves changed")));
    for polluted in meant {
        text += &format!("\n{}\n", paint(NAME, &polluted.name));
        text += &match &polluted.left {
            Left::State(places) => places.iter().map(|place| pollution_trees(place)).collect(),
            left @ Left::Outside { .. } => format!("   {}\n", outside_change(left)),
            Left::Thread => String::new(),
        };
    }
    Some(text)
}

fn pollution_trees(pollution: &Pollution) -> String {
    let trees = pollution.changes.iter().map(|change| {
        let title = format!("   {}{}\n", pollution.place, change.label);
        paint(DIM, title.trim_end()) + "\n" + &change_tree(change)
    });
    let mut text: String = trees.collect();
    if pollution.unlisted_changes > 0 {
        text += &format!("   and {} more changes\n", pollution.unlisted_changes);
    }
    text
}

/// Lines that both trees have are shown once.
fn change_tree(change: &Change) -> String {
    let before = lines(change.old.as_ref(), &change.before);
    let after = lines(change.new.as_ref(), &change.after);
    let mut text = String::new();
    for (side, line) in merged(&before, &after) {
        text += &match side {
            Side::Both => format!("       {line}\n"),
            Side::Before => format!("     {}\n", paint(BAD, format!("- {line}"))),
            Side::After => format!("     {}\n", paint(GOOD, format!("+ {line}"))),
        };
    }
    text
}

fn lines(value: Option<&Value>, tree: &[TreeNode]) -> Vec<String> {
    let Some(value) = value else { return vec!["nothing".into()] };
    let nodes = tree.iter().map(|node| {
        let value = node.value.as_ref().map_or("?".into(), shown);
        format!("{}{} {value}", "   ".repeat(node.depth as usize), node.label)
    });
    std::iter::once(shown(value)).chain(nodes).collect()
}

/// Objects by their class: their numbers mean nothing to a reader.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Object { class, .. } => residue_model::trace::simple_class_name(class).to_owned(),
        other => other.to_string(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Before,
    After,
}

/// The shortest way from one list to the other. Trees are small, so a table
/// of all pairs will do.
fn merged<'a>(before: &'a [String], after: &'a [String]) -> Vec<(Side, &'a str)> {
    let (rows, columns) = (before.len(), after.len());
    let mut common = vec![vec![0_usize; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[row][column] = if before[row] == after[column] {
                common[row + 1][column + 1] + 1
            } else {
                common[row + 1][column].max(common[row][column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut merged = Vec::with_capacity(rows + columns);
    while row < rows || column < columns {
        if row < rows && column < columns && before[row] == after[column] {
            merged.push((Side::Both, before[row].as_str()));
            (row, column) = (row + 1, column + 1);
        } else if column == columns
            || row < rows && common[row + 1][column] >= common[row][column + 1]
        {
            merged.push((Side::Before, before[row].as_str()));
            row += 1;
        } else {
            merged.push((Side::After, after[column].as_str()));
            column += 1;
        }
    }
    merged
}

/// Values deep in a changed object that differ, with the way to them.
pub(crate) fn differing_leaves(change: &Change) -> Vec<(String, String, String)> {
    let (before, after) = (leaves(&change.before), leaves(&change.after));
    let mut differing = Vec::new();
    for (path, old) in &before {
        if let Some((_, new)) = after.iter().find(|(other, _)| other == path)
            && old != new
        {
            differing.push((path.clone(), old.clone(), new.clone()));
        }
    }
    differing
}

fn leaves(tree: &[TreeNode]) -> Vec<(String, String)> {
    let mut way: Vec<String> = Vec::new();
    let mut leaves = Vec::new();
    for node in tree {
        way.truncate((node.depth as usize).saturating_sub(1));
        way.push(node.label.to_string());
        match &node.value {
            None | Some(Value::Object { .. }) => {}
            Some(value) => leaves.push((way.concat(), value.to_string())),
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use residue_model::trace::Label;

    use super::*;

    fn node(depth: u32, field: &str, value: Value) -> TreeNode {
        TreeNode { depth, label: Label::Field(field.into()), value: Some(value) }
    }

    fn zone() -> Change {
        let object = |id| Value::Object { class: "sun.util.calendar.ZoneInfo".into(), id };
        let tree = |id: &str, offset| {
            vec![
                node(1, "ID", Value::text(id)),
                node(1, "rules", object(9)),
                node(2, "offset", Value::Integer(offset)),
                node(1, "dirty", Value::Boolean(false)),
            ]
        };
        Change {
            label: Label::Whole,
            old: Some(object(1)),
            new: Some(object(2)),
            before: tree("UTC", 0),
            after: tree("GMT+03:00", 3),
        }
    }

    #[test]
    fn what_stays_is_shown_once_between_what_goes_and_what_comes() {
        let text = anstream::adapter::strip_str(&change_tree(&zone())).to_string();
        assert_eq!(
            text,
            "       ZoneInfo\n     -    .ID \"UTC\"\n     +    .ID \"GMT+03:00\"\n          .rules ZoneInfo\n     \
             -       .offset 0\n     +       .offset 3\n          .dirty false\n"
        );
    }

    #[test]
    fn an_object_in_one_line_is_what_differs_in_it() {
        let leaves = differing_leaves(&zone());
        let expected =
            |path: &str, old: &str, new: &str| (path.to_owned(), old.to_owned(), new.to_owned());
        assert_eq!(
            leaves,
            [expected(".ID", "\"UTC\"", "\"GMT+03:00\""), expected(".rules.offset", "0", "3")]
        );
    }
}
