//! Classes in a folder of class files.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// A class file and the class it holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoundClass {
    /// Binary name.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) file: PathBuf,
}

impl FoundClass {
    /// Whether the name is that of a class inside another. A `$` may also be
    /// part of a plain name, which is rare enough in tests.
    pub(crate) fn looks_nested(&self) -> bool {
        let simple = self.name.rsplit('.').next().unwrap_or(&self.name);
        simple.char_indices().any(|(at, c)| c == '$' && at > 0)
    }
}

/// All classes below a folder, sorted by name, without the descriptors of
/// packages and modules.
pub(crate) fn classes(folder: &Path) -> std::io::Result<Vec<FoundClass>> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true) {
        let entry = entry?;
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let is_class = below.extension().is_some_and(|extension| extension == "class");
        if !is_class || !entry.file_type().is_file() || below.starts_with("META-INF") {
            continue;
        }
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.join(".");
        let name = name.strip_suffix(".class").unwrap_or(&name).to_owned();
        let simple = name.rsplit('.').next().unwrap_or(&name);
        if simple != "module-info" && simple != "package-info" {
            found.push(FoundClass { name, file: entry.into_path() });
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn descriptors_and_other_files_are_no_classes() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            "b/T.class",
            "b/T$In.class",
            "a/S.class",
            "a/package-info.class",
            "module-info.class",
            "a/notes.txt",
            "$Gen.class",
            "META-INF/versions/9/a/S.class",
        ];
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = classes(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|class| class.name.as_str()).collect();
        assert_eq!(names, ["$Gen", "a.S", "b.T", "b.T$In"]);
        let nested: Vec<_> = found.iter().map(FoundClass::looks_nested).collect();
        assert_eq!(nested, [false, false, false, true]);
    }
}
