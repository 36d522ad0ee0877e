//! The dependencies of a trace as rows.

use std::collections::{HashMap, HashSet};

use residue_graph::{Dependency, DependencyGraph, DependencyKind, Flow};
use residue_model::trace::{LocationId, StackId, Value};
use residue_model::{Frame, TestId};
use rusqlite::params;

use crate::RunId;
use crate::store::Writer;
use crate::values::{position, signed};

/// Locations kept of one dependency: the trace file has the rest, and two
/// tests that share a large structure would otherwise fill the store.
const FLOWS: usize = 10;

pub(crate) fn insert_rows(
    writer: &mut Writer<'_>,
    run: RunId,
    graph: &DependencyGraph<'_>,
) -> rusqlite::Result<()> {
    let order = &graph.trace().order;
    let tests =
        order.iter().map(|test| writer.test_id(test)).collect::<rusqlite::Result<Vec<_>>>()?;
    let mut mentioned = Mentioned::default();
    for dependency in DependencyKind::ALL.into_iter().flat_map(|kind| graph.dependencies(kind)) {
        insert_dependency(writer, run, dependency, &tests, &mut mentioned)?;
    }
    insert_locations(writer, run, graph, &mentioned)?;
    insert_stacks(writer, run, graph, &mentioned)?;
    let mut gap = writer.db.prepare_cached(
        "INSERT OR IGNORE INTO trace_gaps (run_id, kind, detail, times) VALUES (?, ?, ?, ?)",
    )?;
    for known in &graph.trace().gaps {
        gap.execute(params![run.0, known.kind.as_str(), &*known.detail, signed(known.count)])?;
    }
    Ok(())
}

/// What rows refer to.
#[derive(Debug, Default)]
struct Mentioned {
    locations: HashSet<LocationId>,
    /// With the test that did it.
    stacks: HashMap<StackId, usize>,
}

fn insert_dependency(
    writer: &Writer<'_>,
    run: RunId,
    dependency: Dependency<'_>,
    tests: &[i64],
    mentioned: &mut Mentioned,
) -> rusqlite::Result<()> {
    let id = writer
        .db
        .prepare_cached(
            "INSERT INTO dependencies (run_id, kind, later_id, earlier_id, locations)
             VALUES (?, ?, ?, ?, ?)",
        )?
        .insert(params![
            run.0,
            dependency.kind().as_str(),
            tests[dependency.later()],
            tests[dependency.earlier()],
            position(dependency.flow_count()),
        ])?;
    let mut insert = writer.db.prepare_cached(
        "INSERT INTO flows (dependency_id, position, location, created, old, new,
                            earlier_stack, later_stack)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (index, flow) in dependency.flows().take(FLOWS).enumerate() {
        let Flow { location, earlier, later } = flow;
        // Of a read there is no value.
        let write = match dependency.kind() {
            DependencyKind::ReadAfterWrite => earlier,
            DependencyKind::WriteAfterRead | DependencyKind::WriteAfterWrite => later,
        };
        let text = |value: Option<&Value>| value.map(ToString::to_string);
        let mut stack = |stack: Option<StackId>, test: usize| {
            mentioned.stacks.extend(stack.map(|stack| (stack, test)));
            stack.map(|stack| position(stack.index()))
        };
        insert.execute(params![
            id,
            position(index),
            position(location.index()),
            earlier.created,
            text(write.old),
            text(write.new),
            stack(earlier.stack, dependency.earlier()),
            stack(later.stack, dependency.later()),
        ])?;
        mentioned.locations.insert(location);
    }
    Ok(())
}

fn insert_locations(
    writer: &Writer<'_>,
    run: RunId,
    graph: &DependencyGraph<'_>,
    mentioned: &Mentioned,
) -> rusqlite::Result<()> {
    let mut insert = writer.db.prepare_cached(
        "INSERT INTO trace_locations (run_id, location, root, path) VALUES (?, ?, ?, ?)",
    )?;
    for location in &mentioned.locations {
        let path = graph.trace().path(*location);
        let (root, path) = (path.root.to_string(), format!("{path:#}"));
        insert.execute(params![run.0, position(location.index()), root, path])?;
    }
    Ok(())
}

fn insert_stacks(
    writer: &Writer<'_>,
    run: RunId,
    graph: &DependencyGraph<'_>,
    mentioned: &Mentioned,
) -> rusqlite::Result<()> {
    let mut insert = writer
        .db
        .prepare_cached("INSERT INTO trace_stacks (run_id, stack, frames) VALUES (?, ?, ?)")?;
    for (stack, test) in &mentioned.stacks {
        let frames: Vec<&Frame> = graph.trace().frames_of(*stack).collect();
        let frames = upto(graph.test(*test), &frames).iter().map(ToString::to_string);
        let frames: Vec<_> = frames.collect();
        insert.execute(params![run.0, position(stack.index()), frames.join("\n")])?;
    }
    Ok(())
}

/// The frames within a test: who called it is the same for all tests, and may
/// be a hundred frames.
fn upto<'f>(test: &TestId, frames: &'f [&'f Frame]) -> &'f [&'f Frame] {
    let own = test.top_level_class();
    let is_own = |frame: &&Frame| {
        frame.class.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    let end = frames.iter().rposition(is_own).map_or(frames.len(), |last| last + 1);
    &frames[..end]
}
