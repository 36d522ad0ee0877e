//! `make bench-trace`: what tracing costs, as ratios of traced runs to plain
//! runs of the same tests by the same runner in the same kind of JVM. Times of
//! a shared machine mean little, so plain and traced runs take turns, and the
//! median of the rounds counts.

#![allow(clippy::print_stdout)] // a benchmark prints its figures

#[path = "../common/cost.rs"]
mod cost;
mod figures;
#[path = "../common/generated.rs"]
mod generated;
mod generated_suites;
mod kernels;
mod outside;
mod peak_memory;
mod pollution;
mod projects;
mod runs;
mod suites;
mod test_jars;

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// What tracing costs.
#[derive(Parser)]
struct Arguments {
    /// How often everything is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Folder with checked-out Maven projects to measure too. What the build of
    /// one needs stands in FOLDER/NAME.args
    #[arg(long)]
    subjects: Option<PathBuf>,
    /// Which of them, all without it
    #[arg(long, value_delimiter = ',')]
    names: Vec<String>,
    /// Measure only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Published test jars and checked-out projects
    Suites,
    /// Watching files and sockets, on top of tracing
    Outside,
    /// Looking for pollution in checked-out projects
    Pollution,
    /// Small loops
    Kernels,
    /// What the agent adds to the start of a JVM
    Start,
    /// What the end of a test costs
    Boundary,
    /// Peak memory of a large suite
    Memory,
    /// Many tests that share a large structure
    Structure,
}

fn main() {
    let arguments = Arguments::parse();
    let rounds = arguments.rounds.max(1);
    let wanted = |part| arguments.only.is_empty() || arguments.only.contains(&part);
    println!("load average {}, {rounds} rounds", load_average());
    let mut summary = Vec::new();
    if wanted(Part::Suites) {
        let mut measured = test_jars::measure(rounds);
        if let Some(folder) = &arguments.subjects {
            measured.extend(projects::measure(folder, &arguments.names, rounds));
        }
        summary.extend(suites::compare_with_electric_test(&measured));
    }
    if wanted(Part::Outside) {
        summary.extend(outside::measure(rounds));
    }
    if let (true, Some(folder)) = (wanted(Part::Pollution), &arguments.subjects) {
        summary.extend(projects::measure_pollution(folder, &arguments.names, rounds));
    }
    if wanted(Part::Kernels) {
        summary.push(kernels::measure(rounds));
    }
    if wanted(Part::Start) {
        summary.push(generated_suites::start(rounds));
    }
    if wanted(Part::Boundary) {
        summary.push(generated_suites::boundary(rounds));
    }
    if wanted(Part::Memory) {
        summary.push(generated_suites::memory());
    }
    if wanted(Part::Structure) {
        summary.push(generated_suites::structure());
    }
    println!("\n{:40} {:>14} {:>16} {:>24}", "", "measured", "goal", "ElectricTest");
    for line in summary {
        println!("{line}");
    }
    println!("load average {}", load_average());
}

fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").expect("Linux");
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
