//! JVM arguments that bring code or further arguments along.
//!
//! Only these are read: an argument may also name a file that tests write, such
//! as a coverage report, and reading that would make each run a new state.

use std::path::PathBuf;

/// Arguments `prefix` + path, where options may follow after `=`.
const AGENTS: [&str; 2] = ["-javaagent:", "-agentpath:"];
/// Arguments `prefix` + list of paths.
const PATH_LISTS: [&str; 2] = ["-Xbootclasspath/a:", "-Xbootclasspath:"];
/// Options whose value, after `=` or as the next argument, is a list of paths.
const PATH_LIST_OPTIONS: [&str; 3] = ["--module-path", "-p", "--upgrade-module-path"];
/// The same, but the list follows `module=`.
const PATCH_OPTION: &str = "--patch-module";

/// The files and folders whose content the arguments bring in, in order.
pub(super) fn files(jvm_args: &[String]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut arguments = jvm_args.iter().map(String::as_str).peekable();
    while let Some(argument) = arguments.next() {
        if let Some(path) = argument.strip_prefix('@') {
            files.push(path.into());
        } else if let Some(agent) = strip_any(argument, &AGENTS) {
            files.push(agent.split('=').next().unwrap_or(agent).into());
        } else if let Some(list) = strip_any(argument, &PATH_LISTS) {
            files.extend(split_list(list));
        } else {
            let (option, attached) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (argument, None),
            };
            let is_patch = option == PATCH_OPTION;
            if is_patch || PATH_LIST_OPTIONS.contains(&option) {
                let value = attached.or_else(|| arguments.next()).unwrap_or_default();
                let list = match value.split_once('=') {
                    Some((_module, list)) if is_patch => list,
                    _ => value,
                };
                files.extend(split_list(list));
            }
        }
    }
    files
}

fn strip_any<'a>(argument: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| argument.strip_prefix(prefix))
}

fn split_list(list: &str) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_code_are_found_and_files_that_tests_write_are_not() {
        let arguments: Vec<String> = [
            "-Xmx1g",
            "-javaagent:/m2/jacoco.jar=destfile=/p/target/jacoco.exec",
            "@args.txt",
            "-Xbootclasspath/a:/b/one.jar:/b/two.jar",
            "-Dreport=/p/target/report.xml",
            "--module-path",
            "/mods/a:/mods/b",
            "-p=/mods/c",
            "--patch-module",
            "java.base=/patch",
            "--patch-module=m=/patch2",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
        ]
        .map(String::from)
        .into();
        let expected = [
            "/m2/jacoco.jar",
            "args.txt",
            "/b/one.jar",
            "/b/two.jar",
            "/mods/a",
            "/mods/b",
            "/mods/c",
            "/patch",
            "/patch2",
        ];
        assert_eq!(files(&arguments), expected.map(PathBuf::from));
    }
}
