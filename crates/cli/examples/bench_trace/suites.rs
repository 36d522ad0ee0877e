//! Whole suites: one row each, and all of them together.

use crate::figures::{Line, geometric_mean, median};
use crate::runs::{Run, Runs};

/// Ratio of a suite's traced run to its plain run, the median of the rounds.
pub(crate) struct Measured {
    wall: f64,
}

pub(crate) fn print_heading(title: &str) {
    println!(
        "\n{title:28} {:>7} {:>18} {:>18} {:>7} {:>9} {:>9} {:>7}",
        "tests", "plain (CPU)", "traced (CPU)", "ratio", "CPU ratio", "trace", "differ"
    );
}

pub(crate) fn measure(name: &str, runs: &mut Runs, rounds: usize) -> Measured {
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (plain, traced) = (runs.plain(), runs.traced());
        let wall = traced.cost.wall.as_secs_f64() / plain.cost.wall.as_secs_f64();
        let cpu = traced.cost.cpu.as_secs_f64() / plain.cost.cpu.as_secs_f64();
        let size = format!("{:.1} MB", traced.trace_bytes as f64 / 1e6);
        println!(
            "{name:28} {:>7} {:>18} {:>18} {wall:>6.2}x {cpu:>8.2}x {size:>9} {:>7}",
            runs.tests(),
            plain.cost,
            traced.cost,
            differing(&plain, &traced)
        );
        walls.push(wall);
        cpus.push(cpu);
    }
    let (wall, cpu) = (median(walls), median(cpus));
    if rounds > 1 {
        println!("{:28} {:>7} {:>18} {:>18} {wall:>6.2}x {cpu:>8.2}x", "  median", "", "", "");
    }
    Measured { wall }
}

/// Tests that end in another way with the agent. Some do so without it, too.
pub(crate) fn differing(plain: &Run, traced: &Run) -> usize {
    let both = plain.record.results.iter().zip(&traced.record.results);
    both.filter(|(plain, traced)| plain.outcome.kind() != traced.outcome.kind()).count()
}

pub(crate) fn compare_with_electric_test(measured: &[Measured]) -> [Line; 2] {
    let ratios: Vec<f64> = measured.iter().map(|suite| suite.wall).collect();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    [
        Line {
            what: "suites, geometric mean",
            measured: format!("{:.2}x", geometric_mean(&ratios)),
            goal: "at most 2x",
            electric_test: "20x (arithmetic mean)",
        },
        Line {
            what: "suites, worst",
            measured: format!("{worst:.2}x"),
            goal: "at most 3x",
            electric_test: "82.6x",
        },
    ]
}
