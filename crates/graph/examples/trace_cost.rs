//! What reading a large trace and computing its dependencies costs:
//! `cargo run --release -p residue-graph --example trace_cost`.

use std::time::Instant;

use residue_graph::{DependencyGraph, DependencyKind, Granularity};
use residue_model::TestId;
use residue_model::trace::EpochKind;
use residue_wire::trace::{Found, SlotName, TraceReader, TraceWriter};

const TESTS: u32 = 5_000;
const READS: u32 = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let order: Vec<TestId> = (0..TESTS)
        .map(|test| TestId::parse(&format!("a.T{}#m{test}", test / 20)))
        .collect::<Result<_, _>>()?;
    for (what, creator) in [("most reads never conflict", 0), ("every read conflicts", 1)] {
        let started = Instant::now();
        let file = write(creator);
        let written = started.elapsed();
        let started = Instant::now();
        let trace = TraceReader::new(&file).read(&order)?;
        let read = started.elapsed();
        let started = Instant::now();
        let graph = DependencyGraph::new(&trace);
        let computed = started.elapsed();
        let started = Instant::now();
        let columns = graph.columns(Granularity::Methods);
        let shared = graph.shared_locations().len();
        let polluters = graph.polluters().len();
        let summarised = started.elapsed();
        #[allow(clippy::print_stdout)] // an example owns its output
        {
            println!(
                "{what}: {} kB; write {written:.2?}, read {read:.2?}, graph {computed:.2?}, \
                 summary {summarised:.2?}; {} dependencies, {shared} shared locations, \
                 {polluters} polluters, chain {}",
                file.len() / 1_000,
                graph.dependencies(DependencyKind::ReadAfterWrite).len(),
                columns.longest_chain,
            );
        }
    }
    Ok(())
}

/// Every test reads a slot of each of many objects and writes one of them.
fn write(creator: u32) -> Vec<u8> {
    let mut writer = TraceWriter::new();
    let mut file = Vec::new();
    for test in 0..TESTS {
        writer.begin_epoch(EpochKind::Test, test);
        if test == 1 {
            writer.describe_static(0, "a.S", "root");
            let slots = ["a", "b", "c", "d"].map(|field| SlotName { class: "a.O", field });
            writer.describe_class(0, "a.O", slots);
            for object in 0..READS {
                writer.describe_object(8 + object * 8, 0, creator, Found::InCell(0));
            }
        }
        if test > 0 {
            for object in 0..READS {
                writer.read(8 + object * 8 + test % 4, None);
            }
            writer.write(8 + (test % READS) * 8, None, None, None);
        }
        file.extend(writer.take_bytes());
    }
    writer.finish();
    file.extend(writer.take_bytes());
    file
}
