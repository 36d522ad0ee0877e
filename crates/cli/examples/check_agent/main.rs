//! `make check-writes` and `make check-pollution`: what the tests of a project
//! have written, or left changed, according to a trace, against what a walk over
//! the whole heap between any two tests finds. Ends with 1 if they disagree, with
//! 2 if there is nothing to compare.

#![allow(clippy::print_stdout, clippy::print_stderr)] // it prints its result

mod walked_run;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{Parser, ValueEnum};
use residue_heap_checker::comparison::{Comparison, Difference, LeftComparison, Reason};
use walked_run::{Walk, WalkedRun, walk};

/// Checks a trace against the heap.
#[derive(Parser)]
struct Arguments {
    /// The `residue` command
    #[arg(long)]
    residue: PathBuf,
    /// Differences that are shown of a suite
    #[arg(long, default_value_t = 40)]
    show: usize,
    /// What is checked
    #[arg(value_enum)]
    what: Checked,
    /// Project to look at
    project: PathBuf,
    /// Further arguments of `residue trace`, or of `residue polluters`
    #[arg(last = true)]
    others: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Checked {
    Writes,
    Pollution,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (command, looks_for) = match arguments.what {
        Checked::Writes => ("trace", Walk::Changes),
        Checked::Pollution => ("polluters", Walk::Left),
    };
    let mut residue = Command::new(&arguments.residue);
    residue.arg(command).arg(&arguments.project).args(&arguments.others);
    match walk(residue, &arguments.project, looks_for) {
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
        Ok(runs) => {
            let agree: Vec<bool> = runs.iter().map(|run| compare(run, &arguments)).collect();
            ExitCode::from(u8::from(agree.contains(&false)))
        }
    }
}

/// Whether the two agree.
fn compare(run: &WalkedRun, arguments: &Arguments) -> bool {
    let differences = match arguments.what {
        Checked::Writes => {
            let comparison = Comparison::of(&run.trace, &run.changes);
            println!(
                "{}: {} tests, {} epochs",
                run.suite,
                run.trace.order.len(),
                comparison.epochs
            );
            println!("  {:>8} writes agree with the heap", comparison.agreed);
            println!("  {:>8} writes were undone by their test", comparison.undone);
            print_reasons(&comparison.explained);
            comparison.differences
        }
        Checked::Pollution => {
            let comparison = LeftComparison::of(&run.trace, &run.changes);
            println!("{}: {} tests", run.suite, comparison.tests);
            println!("  {:>8} polluted places agree with the heap", comparison.agreed);
            print_reasons(&comparison.explained);
            comparison.differences
        }
    };
    print_differences(&differences, arguments.show);
    differences.is_empty()
}

fn print_reasons(explained: &BTreeMap<Reason, usize>) {
    for (reason, count) in explained {
        println!("  {count:>8} {reason}");
    }
}

fn print_differences(differences: &[Difference], most: usize) {
    println!("  {:>8} differences", differences.len());
    for difference in differences.iter().take(most) {
        println!("    {difference}");
    }
    let more = differences.len().saturating_sub(most);
    if more > 0 {
        println!("    … and {more} more; --show {} shows all", differences.len());
    }
}
