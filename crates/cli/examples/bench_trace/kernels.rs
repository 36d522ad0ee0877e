//! Small loops, each of one kind of access: see `fixtures/bench-trace/kernels`.
//! A test is a kernel, and its duration by the JVM's clock what it costs.

use std::collections::BTreeMap;

use residue_model::RunRecord;
use residue_test_support::{Fixture, JUNIT4};

use crate::figures::{Line, geometric_mean, median};
use crate::runs::Runs;

/// Makes what the kernels share.
const PREPARATION: &str = "aSharedIsThere";

pub(crate) fn measure(rounds: usize) -> Line {
    let fixture = Fixture::compile("bench-trace/kernels", JUNIT4);
    let mut runs = Runs::of(&fixture.spec, "", |_| true);
    let mut times: BTreeMap<String, [Vec<f64>; 2]> = BTreeMap::new();
    for _ in 0..rounds {
        for (kind, record) in [runs.plain().record, runs.traced().record].iter().enumerate() {
            for (kernel, seconds) in durations(record) {
                times.entry(kernel).or_default()[kind].push(seconds);
            }
        }
    }
    println!("\n{:28} {:>12} {:>12} {:>7}", "kernels", "plain", "traced", "ratio");
    let mut ratios = Vec::new();
    for (kernel, [plain, traced]) in times {
        let ratio = median(traced.iter().zip(&plain).map(|(t, p)| t / p).collect());
        let (plain, traced) = (median(plain) * 1e3, median(traced) * 1e3);
        println!("{kernel:28} {plain:>9.1} ms {traced:>9.1} ms {ratio:>6.2}x");
        ratios.push(ratio);
    }
    let mean = geometric_mean(&ratios);
    Line {
        what: "kernels, geometric mean",
        measured: format!("{mean:.2}x"),
        goal: "",
        electric_test: "",
    }
}

fn durations(record: &RunRecord) -> impl Iterator<Item = (String, f64)> {
    let kernels = record.results.iter().filter(|result| result.test.method() != PREPARATION);
    kernels.map(|result| (result.test.method().to_owned(), result.duration.as_secs_f64()))
}
