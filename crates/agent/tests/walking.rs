//! The scenarios again, with an independent walk over the heap beside the agent:
//! both must have seen the same writes. See `crates/heap-checker`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::fs;

use common::{Jvm, jvms};
use residue_heap_checker::changes::Changes;
use residue_heap_checker::comparison::Comparison;

fn walk(jvm: &Jvm, scenario: &str) -> Comparison {
    let what = format!("{scenario} on JDK {}", jvm.version);
    let folder = tempfile::tempdir().unwrap();
    let library = common::library().with_file_name("libresidue_heap_checker.so");
    let walk = format!("-agentpath:{}={}", library.display(), folder.path().display());
    let run = common::run(&jvm.with(&[&walk]), "", &["Scenario", scenario]);
    let trace = run.quiet_with_property_table(&what);
    let file = fs::read_dir(folder.path()).unwrap().next().expect("the heap was walked").unwrap();
    let changes = Changes::read(&fs::read_to_string(file.path()).unwrap()).unwrap();
    let comparison = Comparison::of(&trace, &changes);
    let shown: Vec<String> = comparison.differences.iter().map(ToString::to_string).collect();
    assert!(comparison.is_agreement(), "{what}:\n{}\n{:?}", shown.join("\n"), trace.gaps);
    comparison
}

#[test]
fn the_heap_has_changed_as_the_agent_says() {
    for jvm in jvms() {
        let scenarios = [
            "Aliasing",
            "ArraysScenario",
            "Collections",
            "Deep",
            "Indirect",
            "Initialisers",
            "Liveness",
            "Locked",
            "Records",
            "Shapes",
            "Threads",
            "Values",
            "World",
        ];
        for scenario in scenarios {
            let comparison = walk(&jvm, scenario);
            assert!(comparison.agreed > 0, "{scenario}: {comparison:?}");
        }
    }
}
