//! Class paths given by hand.

mod support;

use residue_discover::{DiscoverError, DiscoverRequest, PlainClassPath, discover};
use support::{TestProject, is_executable};

#[test]
fn top_level_classes_of_the_folders_are_candidates() {
    let project = TestProject::new()
        .file("out/b/T.class", "")
        .file("out/b/T$Nested.class", "")
        .file("out/module-info.class", "")
        .file("more/a/S.class", "")
        .file("lib.jar", "");
    let root = project.root();
    let request = DiscoverRequest {
        plain: Some(PlainClassPath {
            class_path: vec![root.join("out"), root.join("lib.jar")],
            test_classes: vec![root.join("out"), root.join("more")],
        }),
        ..project.request()
    };
    let found = discover(&request, &mut |_| {}).unwrap();
    let suite = &found.project.suites[0];
    assert_eq!(suite.selection.classes, ["a.S", "b.T"]);
    assert_eq!(
        suite.launch.class_path,
        [root.join("more"), root.join("out"), root.join("lib.jar")]
    );
    assert_eq!(suite.launch.jvm_args, ["-ea"]);
    assert_eq!(suite.launch.working_dir, root);
    assert!(is_executable(&suite.launch.java));
}

#[test]
fn a_missing_entry_is_named() {
    let project = TestProject::new().file("out/a/T.class", "");
    let missing = project.root().join("missing.jar");
    let plain = PlainClassPath {
        class_path: vec![missing.clone()],
        test_classes: vec![project.root().join("out")],
    };
    let request = DiscoverRequest { plain: Some(plain), ..project.request() };
    let error = discover(&request, &mut |_| {}).unwrap_err();
    assert!(
        matches!(&error, DiscoverError::ClassPathEntry { entry, .. } if *entry == missing),
        "{error}"
    );
}

#[test]
fn folders_without_classes_have_no_tests() {
    let project = TestProject::new().file("out/readme.txt", "");
    let plain =
        PlainClassPath { class_path: vec![], test_classes: vec![project.root().join("out")] };
    let request = DiscoverRequest { plain: Some(plain), ..project.request() };
    let error = discover(&request, &mut |_| {}).unwrap_err();
    assert!(matches!(error, DiscoverError::NoTests { .. }), "{error}");
}
