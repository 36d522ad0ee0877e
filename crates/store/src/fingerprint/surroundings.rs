//! What a suite depends on besides its own description.

use std::path::{Path, PathBuf};

/// Variables that the JVM itself reads at its start and thereby changes what
/// tests see. Hashing the whole environment would give each terminal window
/// its own fingerprint.
const READ_BY_THE_JVM: [&str; 6] =
    ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LANG", "LANGUAGE", "TZ"];
const LOCALE_PREFIX: &str = "LC_";

/// The same for all suites of a project: where it is, who runs its tests, and
/// the environment they inherit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    project_paths: Vec<String>,
    runner: String,
    environment: Vec<(String, String)>,
}

impl Surroundings {
    /// For a project, the runner that will run its tests, and the environment
    /// that it will inherit (usually `std::env::vars_os()` made text).
    pub fn new(
        project_root: &Path,
        runner_jar: &[u8],
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut environment: Vec<_> =
            environment.into_iter().filter(|(name, _)| is_read_by_the_jvm(name)).collect();
        environment.sort();
        Self {
            project_paths: spellings(project_root),
            runner: blake3::hash(runner_jar).to_hex().to_string(),
            environment,
        }
    }

    /// With what is done to reset the world before an order: what happens then
    /// is another question.
    pub fn with_resets(mut self, resets: Vec<String>) -> Self {
        self.environment.extend(resets.into_iter().map(|reset| ("reset".into(), reset)));
        self
    }

    pub(super) fn runner(&self) -> &str {
        &self.runner
    }

    pub(super) fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// The text with a placeholder wherever it holds the project's path.
    pub(super) fn without_project_path(&self, text: &str) -> String {
        self.project_paths
            .iter()
            .fold(text.to_owned(), |text, path| replace_path(&text, path, "${project}"))
    }
}

fn is_read_by_the_jvm(name: &str) -> bool {
    READ_BY_THE_JVM.contains(&name) || name.starts_with(LOCALE_PREFIX)
}

/// The path as given and with links resolved. A relative path, the root of the
/// file system and paths that are not text have no spelling worth replacing.
fn spellings(project_root: &Path) -> Vec<String> {
    let given = project_root.to_path_buf();
    let resolved = project_root.canonicalize().ok();
    let worth_replacing = |path: &PathBuf| path.is_absolute() && path.parent().is_some();
    let mut spellings: Vec<String> = [Some(given), resolved]
        .into_iter()
        .flatten()
        .filter(worth_replacing)
        .filter_map(|path| path.to_str().map(|text| text.trim_end_matches('/').to_owned()))
        .collect();
    spellings.dedup();
    spellings
}

/// Replaces whole occurrences: `/a/b` is not part of `/a/bc` or `/x/a/b`.
fn replace_path(text: &str, path: &str, placeholder: &str) -> String {
    let continues_a_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(path) {
        let end = at + path.len();
        let whole =
            !text[..at].ends_with(continues_a_name) && !text[end..].starts_with(continues_a_name);
        if whole {
            replaced.push_str(&text[done..at]);
            replaced.push_str(placeholder);
            done = end;
        }
    }
    replaced.push_str(&text[done..]);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_occurrences_of_the_project_path_are_replaced() {
        let there = Surroundings::new(Path::new("/no/such/p"), b"", []);
        let replaced = |text: &str| there.without_project_path(text);
        assert_eq!(replaced("-Dx=/no/such/p"), "-Dx=${project}");
        assert_eq!(replaced("/no/such/p/a:/no/such/p/b"), "${project}/a:${project}/b");
        assert_eq!(replaced("/no/such/p2/a"), "/no/such/p2/a");
        assert_eq!(replaced("/mnt/no/such/p"), "/mnt/no/such/p");
    }

    #[test]
    fn only_variables_that_the_jvm_reads_are_kept_in_any_order() {
        let vars = |names: &[&str]| -> Vec<(String, String)> {
            names.iter().map(|name| ((*name).into(), "v".into())).collect()
        };
        let one = Surroundings::new(Path::new("/p"), b"", vars(&["TZ", "WINDOWID", "LC_ALL"]));
        let two = Surroundings::new(Path::new("/p"), b"", vars(&["LC_ALL", "TZ"]));
        assert_eq!(one, two);
        assert_eq!(one.environment().len(), 2);
    }
}
