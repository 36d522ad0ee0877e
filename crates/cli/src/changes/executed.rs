//! From a traced run to what each of its tests executed and read.

use std::collections::BTreeSet;

use residue_change::{Executed, FileRead, TestCode};
use residue_graph::{DependencyGraph, TestEpochs};
use residue_model::Coverage;
use residue_model::trace::{LocationName, OutsideKind, Read, Trace};

/// What a class initialiser is called.
const INITIALISER: &str = "<clinit>";

/// What the tests of a run executed and read.
pub fn executed(graph: &DependencyGraph<'_>, coverage: &Coverage) -> Executed {
    let trace = graph.trace();
    let name = |class: &u32| coverage.classes[*class as usize].name.to_string();
    let unwatched = coverage.classes.iter().filter(|class| !class.is_watched);
    let always = coverage.always.classes.iter().map(name);
    let mut executed = Executed {
        asked: trace.order.iter().cloned().collect(),
        always: always.chain(unwatched.map(|class| class.name.to_string())).collect(),
        ..Executed::default()
    };
    for (test, epochs) in graph.epochs_by_test().into_iter().enumerate() {
        // A test that the run never came to has no epoch of its own.
        if let Some(covered) = coverage.tests.get(test).filter(|_| !epochs.own.is_empty()) {
            let classes = covered.classes.iter().map(name).collect();
            let code = TestCode { classes, files: files(trace, &epochs) };
            executed.tests.insert(trace.order[test].clone(), code);
        }
    }
    executed
}

fn files(trace: &Trace, epochs: &TestEpochs) -> Vec<FileRead> {
    let TestEpochs { before, own, after } = epochs;
    let epochs = before.iter().chain(own).chain(after);
    epochs.flat_map(|epoch| &trace.epoch(*epoch).reads).flat_map(|read| file(trace, read)).collect()
}

/// A file under each of its names.
fn file(trace: &Trace, read: &Read) -> Vec<FileRead> {
    let LocationName::Outside(outside) = &trace.location(read.location).name else {
        return Vec::new();
    };
    let is_file = matches!(
        outside.kind,
        OutsideKind::FileContent
            | OutsideKind::FileName
            | OutsideKind::FileMetadata
            | OutsideKind::FolderListing
    );
    let inside = read.stack.map(|stack| -> BTreeSet<String> {
        let frames = trace.frames_of(stack);
        frames.filter(|frame| frame.method == INITIALISER).map(|f| f.class.to_string()).collect()
    });
    let names = [&outside.name].into_iter().chain(&outside.other_names).filter(|_| is_file);
    names.map(|name| FileRead { name: name.to_string(), inside: inside.clone() }).collect()
}
