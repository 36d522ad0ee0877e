//! What a detection is to do, by the options of the command line.

use residue_detect::{
    Algorithm, Budget, Comparison, Config, Granularity, PradetConfig, ReferenceOrder, Selection,
    Strategy,
};

use crate::args::{AlgorithmArg, DetectArgs, GranularityArg, ReferenceArg, SelectionArg};

/// The same for each of so many suites.
pub fn detect_config(args: &DetectArgs, suites: usize) -> Config {
    // What a suite really has of a time depends on the clock, and the same command
    // is to ask the same questions again.
    let budget = match args.budget.unwrap_or_default() {
        Budget::Time(whole) => Budget::Time(whole / u32::try_from(suites).unwrap_or(1).max(1)),
        of_each => of_each,
    };
    let strategy = match args.algorithms.as_slice() {
        [] if args.no_trace => Strategy::Deepening,
        [] => Strategy::Guided,
        chosen => Strategy::Only(chosen.iter().map(|name| algorithm(*name)).collect()),
    };
    Config {
        strategy,
        granularity: match args.granularity {
            GranularityArg::Method => Granularity::Method,
            GranularityArg::Class => Granularity::Class,
        },
        seed: args.seed,
        k: args.k,
        trials: args.trials,
        reference_runs: args.reference_runs,
        confirmations: args.confirmations,
        comparison: if args.pass_fail_only {
            Comparison::PassFail
        } else {
            Comparison::SameFailure
        },
        all_partners: args.all_polluters,
        cleaners: args.cleaners,
        max_runs: args.max_runs,
        budget,
        tracing: !args.no_trace,
        pradet: PradetConfig {
            selection: match args.pradet_selection {
                SelectionArg::SourceFirst => Selection::SourceFirst,
                SelectionArg::Random => Selection::Random,
            },
            reference: match args.pradet_reference {
                ReferenceArg::Default => ReferenceOrder::Default,
                ReferenceArg::Reversed => ReferenceOrder::Reversed,
                ReferenceArg::Both => ReferenceOrder::Both,
            },
        },
        ..Config::default()
    }
}

fn algorithm(name: AlgorithmArg) -> Algorithm {
    match name {
        AlgorithmArg::Reverse => Algorithm::Reverse,
        AlgorithmArg::Random => Algorithm::Random,
        AlgorithmArg::Isolate => Algorithm::Isolate,
        AlgorithmArg::Pairs => Algorithm::Pairs,
        AlgorithmArg::DependenceAware => Algorithm::DependenceAware,
        AlgorithmArg::Pradet => Algorithm::Pradet,
        AlgorithmArg::Exhaustive => Algorithm::Exhaustive,
    }
}
