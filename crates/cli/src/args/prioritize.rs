//! Options of `residue prioritize`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::schedule::RespectArg;
use super::shared::{ExecArgs, ProjectArgs, TrackingArgs};

/// `residue prioritize`
#[derive(Debug, Args)]
pub struct PrioritizeArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    /// Which tests come first; T1 to T7 are the names in the literature
    #[arg(long, value_name = "NAME", value_enum, ignore_case = true, default_value_t = TechniqueArg::AdditionalStatements)]
    pub technique: TechniqueArg,

    /// Seed of the random order
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,

    /// Which dependencies are kept
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = RespectArg::All)]
    pub respect: RespectArg,

    /// Make the orders, but do not run them
    #[arg(long)]
    pub dry_run: bool,

    /// Write the order to this file, one test a line as `residue run --order` takes it, `-` for
    /// standard output
    #[arg(long, value_name = "FILE")]
    pub order_file: Option<PathBuf>,

    /// Write the orders and what changed as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// What makes a test come early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TechniqueArg {
    /// Chance (T1)
    #[value(alias = "T1")]
    Random,
    /// How many statements it runs (T3)
    #[value(alias = "T3")]
    Statements,
    /// How many statements it runs that no earlier test has run (T4)
    #[value(alias = "T4")]
    AdditionalStatements,
    /// How many methods it runs (T5)
    #[value(alias = "T5")]
    Methods,
    /// How many methods it runs that no earlier test has run (T7)
    #[value(alias = "T7")]
    AdditionalMethods,
}

impl TechniqueArg {
    /// The name in Elbaum, Malishevsky and Rothermel's table.
    pub fn label(self) -> &'static str {
        match self {
            Self::Random => "T1",
            Self::Statements => "T3",
            Self::AdditionalStatements => "T4",
            Self::Methods => "T5",
            Self::AdditionalMethods => "T7",
        }
    }

    /// What is counted.
    pub fn item(self) -> Option<&'static str> {
        match self {
            Self::Random => None,
            Self::Statements | Self::AdditionalStatements => Some("statement"),
            Self::Methods | Self::AdditionalMethods => Some("method"),
        }
    }
}
