//! Defaults of the JVM in the words that people have for them: a locale is
//! `de_DE`, not an object with a `baseLocale`.

use residue_model::trace::{Label, TreeNode, Value};

/// What an object is called, if it has a name that everybody knows.
pub(crate) fn called(value: &Value, tree: &[TreeNode]) -> Option<String> {
    let Value::Object { class, .. } = value else { return None };
    match &**class {
        "java.util.Locale" => locale(tree),
        "sun.util.calendar.ZoneInfo" | "java.util.SimpleTimeZone" => text(tree, "ID"),
        _ => None,
    }
}

fn locale(tree: &[TreeNode]) -> Option<String> {
    let language = text(tree, "language")?;
    let parts = ["script", "region", "variant"].into_iter().filter_map(|part| text(tree, part));
    let parts = parts.filter(|part| !part.is_empty()).map(|part| format!("_{part}"));
    match language + &parts.collect::<String>() {
        root if root.is_empty() => Some("the root locale".into()),
        name => Some(name),
    }
}

fn text(tree: &[TreeNode], field: &str) -> Option<String> {
    tree.iter().find_map(|node| match (&node.label, &node.value) {
        (Label::Field(name), Some(Value::Text { text, .. })) if &**name == field => {
            Some(text.to_string())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: u32, field: &str, text: &str) -> TreeNode {
        TreeNode { depth, label: Label::Field(field.into()), value: Some(Value::text(text)) }
    }

    fn object(class: &str) -> Value {
        Value::Object { class: class.into(), id: 1 }
    }

    #[test]
    fn locales_and_zones_have_names_and_other_objects_do_not() {
        let tree = [node(2, "language", "de"), node(2, "region", "DE"), node(2, "variant", "")];
        assert_eq!(called(&object("java.util.Locale"), &tree).as_deref(), Some("de_DE"));
        let root = [node(2, "language", ""), node(2, "region", "")];
        assert_eq!(called(&object("java.util.Locale"), &root).as_deref(), Some("the root locale"));
        let zone = [node(1, "ID", "GMT+03:00")];
        let called_zone = called(&object("sun.util.calendar.ZoneInfo"), &zone);
        assert_eq!(called_zone.as_deref(), Some("GMT+03:00"));
        assert_eq!(called(&object("a.Zone"), &zone), None);
        assert_eq!(called(&object("java.util.Locale"), &[]), None);
    }
}
