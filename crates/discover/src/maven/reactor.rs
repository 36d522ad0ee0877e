//! Which build a module belongs to.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The outermost folder above `module` whose build lists it, directly or
/// through the modules between; `None` if `module` stands alone.
pub(super) fn enclosing(module: &Path) -> Option<PathBuf> {
    let mut outermost = None;
    let mut current = module.to_path_buf();
    while let Some(parent) = current.ancestors().skip(1).find(|above| lists(above, &current)) {
        current = parent.to_path_buf();
        outermost = Some(current.clone());
    }
    outermost
}

fn lists(folder: &Path, module: &Path) -> bool {
    modules(&folder.join("pom.xml")).iter().any(|name| {
        let path = normalised(&folder.join(name));
        // A module may be named by its pom file, too.
        path == module || path.parent() == Some(module) && path.is_file()
    })
}

/// The modules that a pom lists, profiles included.
pub(super) fn modules(pom: &Path) -> Vec<String> {
    let Ok(text) = fs::read_to_string(pom) else { return Vec::new() };
    let text = without_comments(&text);
    text.split("<module>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</module>"))
        .map(|(name, _)| name.trim().to_owned())
        .collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("-->").map_or("", |(_, rest)| rest));
    }
    kept
}

fn normalised(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pom(folder: &Path, modules: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("pom.xml"), format!("<project>{modules}</project>")).unwrap();
    }

    #[test]
    fn the_outermost_build_that_lists_a_module_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        pom(root, "<modules><module> group </module></modules>");
        pom(&root.join("group"), "<module>deep/leaf</module><!-- <module>old</module> -->");
        for module in ["group/deep/leaf", "group/old", "alone"] {
            pom(&root.join(module), "");
        }
        assert_eq!(enclosing(&root.join("group/deep/leaf")), Some(root.to_path_buf()));
        assert_eq!(enclosing(&root.join("group/old")), None);
        assert_eq!(enclosing(&root.join("alone")), None);
    }

    #[test]
    fn a_build_may_list_its_neighbours() {
        let dir = tempfile::tempdir().unwrap();
        pom(&dir.path().join("parent"), "<module>../leaf</module>");
        pom(&dir.path().join("leaf"), "");
        // Only folders above are looked at: the neighbour would have to be guessed.
        assert_eq!(enclosing(&dir.path().join("leaf")), None);
        assert!(lists(&dir.path().join("parent"), &dir.path().join("leaf")));
    }
}
