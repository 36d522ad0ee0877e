//! `make check-pollution`: what the tests of a project leave changed according to
//! a trace, against full snapshots of the heap before and after each test. Ends
//! with 1 if they disagree, with 2 if there is nothing to compare.

#![allow(clippy::print_stdout, clippy::print_stderr)] // it prints its result

#[path = "../common/check_output.rs"]
mod check_output;
#[path = "../common/walked_run.rs"]
mod walked_run;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use check_output::print_differences;
use clap::Parser;
use residue_heap_checker::comparison::LeftComparison;
use walked_run::{Walk, WalkedRun, walk};

/// Checks the pollution of a trace against snapshots of the heap.
#[derive(Parser)]
struct Arguments {
    /// The `residue` command
    #[arg(long)]
    residue: PathBuf,
    /// Differences that are shown of a suite
    #[arg(long, default_value_t = 40)]
    show: usize,
    /// Project to look at
    project: PathBuf,
    /// Further arguments of `residue polluters`
    #[arg(last = true)]
    others: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut polluters = Command::new(&arguments.residue);
    polluters.arg("polluters").arg(&arguments.project).args(&arguments.others);
    match walk(polluters, &arguments.project, Walk::Left) {
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
        Ok(runs) => {
            let agree: Vec<bool> = runs.iter().map(|run| compare(run, arguments.show)).collect();
            ExitCode::from(u8::from(agree.contains(&false)))
        }
    }
}

/// Whether the two agree.
fn compare(run: &WalkedRun, most: usize) -> bool {
    let comparison = LeftComparison::of(&run.trace, &run.changes);
    println!("{}: {} tests", run.suite, comparison.tests);
    println!("  {:>8} polluted places agree with the heap", comparison.agreed);
    print_differences(&comparison.explained, &comparison.differences, most);
    comparison.is_agreement()
}
