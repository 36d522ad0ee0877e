//! The orders that algorithms propose: lazy streams, nothing is drawn up
//! before it is wanted. An order is full or partial, each with a short label.

mod dependence_aware;
mod exhaustive;
mod isolate;
mod pairs;
mod random;
mod reverse;
mod tuscan;
mod units;

use crate::config::{Algorithm, Config, Granularity, SetupError, Strategy};
use crate::roster::{Roster, TestNumber};
use units::Units;

/// An order worth trying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    /// What people call it: `reversed`, `random, seed 7`, `pairs 3 of 40`.
    pub(crate) label: String,
    pub(crate) order: Vec<TestNumber>,
}

/// One algorithm's orders, or a part of them.
pub(crate) struct Stage {
    pub(crate) algorithm: Algorithm,
    /// Distinguishes parts of one algorithm: `class pairs`, `pairs`.
    pub(crate) name: &'static str,
    /// How many orders the stream has.
    pub(crate) planned: u64,
    pub(crate) orders: Box<dyn Iterator<Item = Proposal>>,
}

impl Stage {
    fn new(
        algorithm: Algorithm,
        name: &'static str,
        planned: u64,
        orders: impl Iterator<Item = Proposal> + 'static,
    ) -> Self {
        Self { algorithm, name, planned, orders: Box::new(orders) }
    }
}

/// Random trials that the deepening strategy makes before anything long.
const EARLY_TRIALS: u32 = 2;

/// Everything that is to be tried, in this order.
pub(crate) fn plan(roster: &Roster, config: &Config) -> Result<Vec<Stage>, SetupError> {
    if config.k == 0 {
        return Err(SetupError::ZeroK);
    }
    let units = Units::new(roster, config.granularity);
    match &config.strategy {
        Strategy::Only(algorithms) => {
            let stages = algorithms.iter().map(|&algorithm| match algorithm {
                Algorithm::Reverse => Ok(reverse::stages(roster, &units)),
                Algorithm::Random => Ok(random::stages(roster, config, 0..config.trials)),
                Algorithm::Isolate => Ok(isolate::stages(&units)),
                Algorithm::Exhaustive => Ok(exhaustive::stages(&units, config.k)),
                Algorithm::Pairs => {
                    let mut stages = pairs::by_class(roster, config.granularity);
                    stages.extend(pairs::by_method(roster, config.granularity));
                    Ok(stages)
                }
                Algorithm::DependenceAware => dependence_aware(roster, &units, config),
            });
            Ok(stages.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        }
        Strategy::Deepening => Ok(deepening(roster, &units, config)),
    }
}

fn deepening(roster: &Roster, units: &Units, config: &Config) -> Vec<Stage> {
    let early = config.trials.min(EARLY_TRIALS);
    let mut stages = reverse::stages(roster, units);
    stages.extend(random::stages(roster, config, 0..early));
    // A trace tells which isolated runs and which pairs are worth their time.
    match dependence_aware(roster, units, config) {
        Ok(aware) => stages.extend(aware),
        Err(_) => stages.extend(isolate::stages(units)),
    }
    stages.extend(pairs::by_class(roster, config.granularity));
    let more = random::stages(roster, config, early..config.trials).into_iter();
    stages.extend(more.map(|stage| Stage { name: "more random", ..stage }));
    stages.extend(pairs::by_method(roster, config.granularity));
    stages
}

fn dependence_aware(
    roster: &Roster,
    units: &Units,
    config: &Config,
) -> Result<Vec<Stage>, SetupError> {
    let accesses = config.accesses.as_ref().ok_or(SetupError::NoAccesses)?;
    Ok(dependence_aware::stages(roster, units, accesses, config.k))
}

/// Whether keeping classes together leaves other orders than single tests do.
fn classes_matter(roster: &Roster, granularity: Granularity) -> bool {
    granularity == Granularity::Method
        && roster.classes().len() > 1
        && roster.classes().len() < roster.len()
}
