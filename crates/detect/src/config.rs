//! What a detection shall do.

use residue_model::OrderError;
use serde::{Deserialize, Serialize};

use crate::{Accesses, Comparison};

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
}

impl Algorithm {
    /// All algorithms, cheapest first.
    pub const ALL: [Self; 6] = [
        Self::Reverse,
        Self::Random,
        Self::Isolate,
        Self::Pairs,
        Self::DependenceAware,
        Self::Exhaustive,
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
    /// Cheap orders first, then more and more, as long as the budget lasts.
    #[default]
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
    /// How many runs the minimisation of one difference may take. What is not
    /// proved minimal by then is reported as such.
    pub minimising_runs: u32,
    /// What each test reads and writes, where a trace is known.
    pub accesses: Option<Accesses>,
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
            minimising_runs: 1_000,
            accesses: None,
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
    /// Sequences of no tests.
    #[error("sequences of k = 0 tests show nothing; choose k = 1 or more")]
    ZeroK,
}
