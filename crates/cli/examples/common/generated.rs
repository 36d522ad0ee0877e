//! Test classes that a benchmark writes itself.

use std::fs;
use std::path::Path;

/// Annotation of a JUnit 4 test.
pub(crate) const JUNIT4_TEST: &str = "org.junit.Test";

/// Writes a class with this many tests, which all have the same body.
pub(crate) fn generate(sources: &Path, number: usize, annotation: &str, tests: usize, body: &str) {
    let folder = sources.join("bench");
    fs::create_dir_all(&folder).expect("temporary folder");
    let methods: String = (0..tests)
        .map(|test| format!("  @{annotation} public void test{test}() {{ {body} }}\n"))
        .collect();
    let simple = format!("Generated{number}Test");
    let source = format!("package bench;\npublic class {simple} {{\n{methods}}}\n");
    fs::write(folder.join(format!("{simple}.java")), source).expect("temporary folder");
}
