//! Some hundred classes of the JDK, rewritten, in use and fully verified. The
//! same for all classes of a JDK, and for jars, is `scripts/verify-rewrite`.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::fs;
use std::path::Path;

use residue_classfile::{EntryTable, Plan, ReplacementTable};
use support::{NamedFields, class_files, jdk_classes, run};

#[test]
fn classes_of_the_jdk_verify() {
    let patch = tempfile::tempdir().unwrap();
    let patch = patch.path();
    let classes =
        jdk_classes("regex:/java.base/java/util/(concurrent/|regex/|stream/|zip/)?[^/]*.class");
    let module = classes.path().join("java.base");
    let mut rewritten = 0;
    for file in class_files(&module) {
        let target = patch.join(file.strip_prefix(&module).unwrap());
        let (replacements, entries) = (ReplacementTable::default(), EntryTable::default());
        let hook_class = "java/lang/ResidueHook";
        let plan = Plan {
            hook_class,
            replacements: &replacements,
            entries: &entries,
            watch: Some(30_000),
        };
        let bytes = fs::read(&file).unwrap();
        let result =
            residue_classfile::rewrite(&bytes, &plan, &mut NamedFields::default()).unwrap();
        assert_eq!(result.declined_methods, [], "{}", file.display());
        if let Some(bytes) = result.bytes {
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
            rewritten += 1;
        }
    }
    assert!(rewritten > 500, "only {rewritten} classes had something to hook");
    compile_helpers(patch);
    let patched = format!("java.base={}", patch.display());
    let class_path = patch.to_str().unwrap();
    let said = run(
        "java",
        &[
            "-Xshare:off",
            "-Xverify:all",
            "--patch-module",
            &patched,
            "-cp",
            class_path,
            "Link",
            "modules",
            "java.base/java/util/",
        ],
    );
    let verified = said.lines().find_map(|line| line.strip_prefix("figure verified "));
    let verified: usize = verified.expect("something verifies").parse().unwrap();
    assert!(verified >= rewritten, "{said}");
    assert!(!said.contains("failed "), "{said}");
}

/// The hooks, the program that links all classes, and a class that must not
/// verify.
fn compile_helpers(folder: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/verify_rewrite");
    let source = |name: &str| sources.join(name).to_str().unwrap().to_owned();
    let patched = format!("java.base={}", sources.display());
    let target = folder.to_str().unwrap();
    let (hook, canary) = (source("ResidueHook.java"), source("ResidueCanary.java"));
    run("javac", &["--patch-module", &patched, "-d", target, &hook, &canary]);
    run("javac", &["-d", target, &source("Link.java")]);
    let canary = folder.join("java/lang/ResidueCanary.class");
    let mut bytes = fs::read(&canary).unwrap();
    let at = bytes.windows(2).position(|two| two == [0x04, 0xac]).expect("iconst_1, ireturn");
    bytes[at] = 0x2a;
    fs::write(canary, bytes).unwrap();
}
