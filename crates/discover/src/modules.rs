//! Names of modules, and choosing some of them.

use std::fs;
use std::path::Path;

use residue_model::SuiteSpec;

use crate::DiscoverError;

/// `.` for the root, `..` in front for a module beside it.
pub(crate) fn module_path(root: &Path, base_dir: &Path) -> String {
    let base_dir = fs::canonicalize(base_dir).unwrap_or_else(|_| base_dir.to_path_buf());
    let mut up = String::new();
    for ancestor in root.ancestors() {
        if let Ok(below) = base_dir.strip_prefix(ancestor) {
            let path = format!("{up}{}", below.display());
            return if path.is_empty() { ".".into() } else { path };
        }
        up.push_str("../");
    }
    base_dir.display().to_string()
}

/// Whether there is anything in which tests could be: a module without test
/// classes is no suite.
pub(crate) fn has_candidates(suite: &SuiteSpec) -> bool {
    !suite.selection.classes.is_empty() || !suite.selection.testng_suites.is_empty()
}

fn module_of(suite: &SuiteSpec) -> &str {
    suite.name.split_once('@').map_or(&suite.name, |(module, _)| module)
}

/// The suites of the modules asked for; all when none is.
pub(crate) fn chosen(
    suites: Vec<SuiteSpec>,
    root: &Path,
    modules: &[String],
) -> Result<Vec<SuiteSpec>, DiscoverError> {
    if modules.is_empty() {
        return Ok(suites);
    }
    for module in modules {
        if !suites.iter().any(|suite| module_of(suite) == module) {
            return Err(DiscoverError::UnknownModule {
                project: root.to_path_buf(),
                module: module.clone(),
                known: suites.iter().map(|suite| module_of(suite).to_owned()).collect(),
            });
        }
    }
    Ok(suites.into_iter().filter(|suite| modules.iter().any(|m| m == module_of(suite))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_beside_the_root_go_up() {
        assert_eq!(module_path(Path::new("/a/b"), Path::new("/a/c")), "../c");
        assert_eq!(module_path(Path::new("/a/b"), Path::new("/a/b/c/d")), "c/d");
        assert_eq!(module_path(Path::new("/a/b"), Path::new("/a/b")), ".");
    }
}
