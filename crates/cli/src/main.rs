//! The `residue` command.

#![allow(unreachable_pub)] // a binary has no outside to reach

mod args;
mod around_change;
mod called_with;
mod cause;
mod changes;
mod commands;
mod deadline;
mod default_trace;
mod detect_config;
mod detection_watch;
mod error;
mod exit_code;
mod footing;
mod interruption;
mod json_file;
mod judged;
mod known_findings;
mod observed;
mod order_source;
mod pace;
mod parallel;
mod plan;
mod printer;
mod selection;
mod settable_fields;
mod settings;
mod speculating;
mod stand_ins;
mod tracking;
mod watch;
mod workbench;

use std::process;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;

fn main() -> process::ExitCode {
    let cli = Cli::parse();
    let mut printer = Printer::new();
    let code = run(&cli.command, &mut printer).unwrap_or_else(|error| {
        printer.error(&error.to_string());
        error.exit_code()
    });
    code.into()
}

fn run(command: &Command, printer: &mut Printer) -> Result<ExitCode, CliError> {
    match command {
        Command::List(args) => commands::list(args, printer),
        Command::Run(args) => commands::run(args, printer),
        Command::Detect(args) => commands::detect(args, printer),
        Command::Explain(args) => commands::explain(args, printer),
        Command::Trace(args) => commands::trace(args, printer),
        Command::Deps(args) => commands::deps(args, printer),
        Command::Schedule(args) => commands::schedule(args, printer),
        Command::Test(args) => commands::test(args, printer),
        Command::Prioritize(args) => commands::prioritize(args, printer),
        Command::Select(args) => commands::select(args, printer),
        Command::Polluters(args) => commands::polluters(args, printer),
        Command::Replay(args) => commands::replay(args, printer),
        Command::Runs(args) => commands::runs(args, printer),
        Command::Show(args) => commands::show(args, printer),
    }
}
