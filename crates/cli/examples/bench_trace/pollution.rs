//! What looking for pollution costs: plain, traced, and traced with an undo log
//! and comparisons, in turns.

use residue_model::SuiteSpec;

use crate::cost::Cost;
use crate::figures::{Line, geometric_mean, median};
use crate::runs::Runs;

/// Ratios of a suite, medians of the rounds.
pub(crate) struct Measured {
    over_plain: f64,
    over_traced: f64,
}

pub(crate) fn print_heading() {
    println!(
        "\n{:20} {:>7} {:>17} {:>17} {:>17} {:>8} {:>9} {:>11} {:>8}",
        "pollution",
        "tests",
        "plain (CPU)",
        "traced (CPU)",
        "compared (CPU)",
        "/ plain",
        "/ traced",
        "/ traced CPU",
        "polluted"
    );
}

pub(crate) fn measure(name: &str, spec: &SuiteSpec, rounds: usize) -> Measured {
    let mut traced_runs = Runs::of(spec, "", |_| true);
    let mut compared_runs = Runs::comparing(spec);
    let (mut over_plain, mut over_traced) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (plain, traced) = (traced_runs.plain(), traced_runs.traced());
        let compared = compared_runs.traced();
        let wall = |cost: Cost| cost.wall.as_secs_f64();
        let cpu = |cost: Cost| cost.cpu.as_secs_f64();
        over_plain.push(wall(compared.cost) / wall(plain.cost));
        over_traced.push(wall(compared.cost) / wall(traced.cost));
        println!(
            "{name:20} {:>7} {:>17} {:>17} {:>17} {:>7.2}x {:>8.2}x {:>10.2}x {:>8}",
            traced_runs.tests(),
            plain.cost,
            traced.cost,
            compared.cost,
            wall(compared.cost) / wall(plain.cost),
            wall(compared.cost) / wall(traced.cost),
            cpu(compared.cost) / cpu(traced.cost),
            compared.polluted
        );
    }
    Measured { over_plain: median(over_plain), over_traced: median(over_traced) }
}

pub(crate) fn compare_with_poldet(measured: &[Measured]) -> [Line; 2] {
    let over_plain: Vec<f64> = measured.iter().map(|suite| suite.over_plain).collect();
    let over_traced: Vec<f64> = measured.iter().map(|suite| suite.over_traced).collect();
    [
        Line {
            what: "pollution over tracing, geometric mean",
            measured: format!("{:.2}x", geometric_mean(&over_traced)),
            goal: "at most 1.3x",
            electric_test: "",
        },
        Line {
            what: "pollution over plain, geometric mean",
            measured: format!("{:.2}x", geometric_mean(&over_plain)),
            goal: "",
            electric_test: "PolDet 4.50x, JPF 6.1x",
        },
    ]
}
