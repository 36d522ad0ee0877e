//! What a detection shall do.

use std::collections::BTreeSet;

use residue_model::{OrderError, TestId, TestOrder};
use serde::{Deserialize, Serialize};

use crate::{Accesses, Budget, Comparison};

/// A way to choose the orders that are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The default order from its end; also classes from the last, each as it is.
    Reverse,
    /// Shuffles by seed, with classes torn apart and with classes kept together.
    Random,
    /// Each test alone.
    Isolate,
    /// Every sequence of `k` different tests.
    Exhaustive,
    /// Few orders in which every test directly follows every other one.
    Pairs,
    /// The sequences of at most `k` tests in which one reads what an earlier
    /// one wrote; needs [`Accesses`].
    DependenceAware,
    /// PraDeT's refinement: each data dependency of a traced run violated on
    /// its own; needs traced runs.
    Pradet,
    /// Orders that were made for another purpose and showed a difference, such
    /// as those of the workers of a parallel run.
    Given,
}

impl Algorithm {
    /// All algorithms, cheapest first.
    pub const ALL: [Self; 8] = [
        Self::Reverse,
        Self::Random,
        Self::Isolate,
        Self::Pairs,
        Self::DependenceAware,
        Self::Pradet,
        Self::Exhaustive,
        Self::Given,
    ];

    /// The word used on the command line, in JSON and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reverse => "reverse",
            Self::Random => "random",
            Self::Isolate => "isolate",
            Self::Exhaustive => "exhaustive",
            Self::Pairs => "pairs",
            Self::DependenceAware => "dependence-aware",
            Self::Pradet => "pradet",
            Self::Given => "given",
        }
    }

    /// The algorithm with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.as_str() == word)
    }
}

/// Which algorithms run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Traces tell which orders can show something new; only those run. As
    /// [`Strategy::Deepening`] where runs cannot be traced.
    #[default]
    Guided,
    /// Cheap orders first, then more and more, as long as the budget lasts.
    Deepening,
    /// These, one after the other.
    Only(Vec<Algorithm>),
}

/// What is moved around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// Single tests.
    #[default]
    Method,
    /// Whole classes; the tests of a class stay together in default order.
    Class,
}

/// Which data dependency PraDeT tries next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// Of the reader that ran last the writer that ran last.
    #[default]
    SourceFirst,
    /// As the seed has it.
    Random,
}

/// The order in which PraDeT collects data dependencies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceOrder {
    /// As tests run by default.
    #[default]
    Default,
    /// From the end.
    Reversed,
    /// Both, one after the other.
    Both,
}

/// Settings of PraDeT's refinement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PradetConfig {
    /// Which data dependency comes next.
    pub selection: Selection,
    /// Where data dependencies come from.
    pub reference: ReferenceOrder,
}

/// Settings of a [`Detection`](crate::Detection).
#[derive(Debug, Clone)]
pub struct Config {
    /// Which orders are tried.
    pub strategy: Strategy,
    /// What is moved around.
    pub granularity: Granularity,
    /// Where random orders begin: trial `i` has seed `seed + i`.
    pub seed: u64,
    /// Length of the sequences of the bounded algorithms.
    pub k: usize,
    /// How many seeds `random` tries. Each gives an order that keeps classes
    /// together and one that tears them apart.
    pub trials: u32,
    /// How often the default order runs before anything is compared with it.
    pub reference_runs: u32,
    /// How often each witness of a finding is run again.
    pub confirmations: u32,
    /// When two outcomes count as the same.
    pub comparison: Comparison,
    /// Whether every single test that flips a dependent test is looked for,
    /// not only the first set. Costs a run for each test of the suite.
    pub all_partners: bool,
    /// Whether tests that undo a polluter are looked for.
    pub cleaners: bool,
    /// Stop after so many answers. Stored runs count like new ones, so the
    /// same command gives the same result.
    pub max_runs: Option<u64>,
    /// How long the search may take. Who drives it ends it; here it only says
    /// how much is worth trying.
    pub budget: Budget,
    /// How many runs the minimisation of one difference may take. What is not
    /// proved minimal by then is reported as such.
    pub minimising_runs: u32,
    /// What each test reads and writes, where a trace is known.
    pub accesses: Option<Accesses>,
    /// Whether runs can be traced on demand. Otherwise none is wanted traced.
    pub tracing: bool,
    /// How PraDeT's refinement goes about.
    pub pradet: PradetConfig,
    /// The orders of [`Algorithm::Given`]; tests that the suite lacks are left
    /// out.
    pub given: Vec<TestOrder>,
    /// The tests that a change of the code touched: [`Strategy::Guided`] then
    /// decides only dependencies that involve one of them. Nothing: all are
    /// decided.
    pub touched: Option<BTreeSet<TestId>>,
}

impl Config {
    /// Whether anything can be done with a trace of the default order.
    pub(crate) fn wants_trace(&self) -> bool {
        let of_use = match &self.strategy {
            Strategy::Guided => true,
            Strategy::Deepening => false,
            Strategy::Only(algorithms) => algorithms.contains(&Algorithm::Pradet),
        };
        self.tracing && of_use
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            granularity: Granularity::default(),
            seed: 1,
            k: 2,
            trials: 20,
            reference_runs: 3,
            confirmations: 2,
            comparison: Comparison::default(),
            all_partners: false,
            cleaners: false,
            max_runs: None,
            budget: Budget::default(),
            minimising_runs: 1_000,
            accesses: None,
            tracing: false,
            pradet: PradetConfig::default(),
            given: Vec::new(),
            touched: None,
        }
    }
}

/// Why a detection cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The suite has two tests of one name.
    #[error("the suite is no order: {0}; two tests of one name cannot be told apart")]
    Suite(#[from] OrderError),
    /// The algorithm works on a trace.
    #[error(
        "the algorithm `dependence-aware` needs to know what each test reads and writes; trace \
         the suite first, or choose `pairs`, which needs no trace"
    )]
    NoAccesses,
    /// The algorithm asks for traced runs.
    #[error(
        "the algorithm `pradet` needs traced runs, and runs cannot be traced here; choose `pairs`, \
         which needs none"
    )]
    NoTracing,
    /// Sequences of no tests.
    #[error("sequences of k = 0 tests show nothing; choose k = 1 or more")]
    ZeroK,
}
