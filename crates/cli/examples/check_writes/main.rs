//! `make check-writes`: what the tests of a project have written according to a
//! trace, against what a walk over the whole heap between any two tests finds
//! changed. Ends with 1 if they disagree, with 2 if there is nothing to compare.

#![allow(clippy::print_stdout, clippy::print_stderr)] // it prints its result

#[path = "../common/check_output.rs"]
mod check_output;
#[path = "../common/walked_run.rs"]
mod walked_run;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use check_output::print_differences;
use clap::Parser;
use residue_heap_checker::comparison::Comparison;
use walked_run::{Walk, WalkedRun, walk};

/// Checks the writes of a trace against the heap.
#[derive(Parser)]
struct Arguments {
    /// The `residue` command
    #[arg(long)]
    residue: PathBuf,
    /// Differences that are shown of a suite
    #[arg(long, default_value_t = 40)]
    show: usize,
    /// Project to trace
    project: PathBuf,
    /// Further arguments of `residue trace`
    #[arg(last = true)]
    others: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut trace = Command::new(&arguments.residue);
    trace.arg("trace").arg(&arguments.project).args(&arguments.others);
    match walk(trace, &arguments.project, Walk::Changes) {
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
    let comparison = Comparison::of(&run.trace, &run.changes);
    println!("{}: {} tests, {} epochs", run.suite, run.trace.order.len(), comparison.epochs);
    println!("  {:>8} writes agree with the heap", comparison.agreed);
    println!("  {:>8} writes were undone by their test", comparison.undone);
    print_differences(&comparison.explained, &comparison.differences, most);
    comparison.is_agreement()
}
