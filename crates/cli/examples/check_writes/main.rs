//! `make check-writes`: what the tests of a project have written according to a
//! trace, against what a walk over the whole heap between any two tests finds
//! changed. Ends with 1 if they disagree, with 2 if there is nothing to compare.

#![allow(clippy::print_stdout, clippy::print_stderr)] // it prints its result

mod checked_run;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use checked_run::CheckedRun;
use clap::Parser;

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
    match checked_run::check(trace, &arguments.project) {
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
        Ok(runs) => {
            runs.iter().for_each(|run| print(run, arguments.show));
            let agrees = runs.iter().all(|run| run.comparison.is_agreement());
            ExitCode::from(u8::from(!agrees))
        }
    }
}

fn print(run: &CheckedRun, most: usize) {
    let comparison = &run.comparison;
    println!("{}: {} tests, {} epochs", run.suite, run.tests, comparison.epochs);
    println!("  {:>8} writes agree with the heap", comparison.agreed);
    println!("  {:>8} writes were undone by their test", comparison.undone);
    for (reason, count) in &comparison.explained {
        println!("  {count:>8} {reason}");
    }
    println!("  {:>8} differences", comparison.differences.len());
    for difference in comparison.differences.iter().take(most) {
        println!("    {difference}");
    }
    let more = comparison.differences.len().saturating_sub(most);
    if more > 0 {
        println!("    … and {more} more; --show {} shows all", comparison.differences.len());
    }
}
