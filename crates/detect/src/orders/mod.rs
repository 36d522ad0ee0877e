//! The orders that algorithms propose: lazy streams, nothing is drawn up
//! before it is wanted. An order is full or partial, each with a short label.

mod dependence_aware;
mod exhaustive;
mod given;
mod isolate;
mod pairs;
mod random;
mod reverse;
mod tuscan;
mod units;

use crate::config::{Algorithm, Config, Granularity, SetupError, Strategy};
use crate::coverage::StageProgress;
use crate::roster::{Roster, TestNumber};
pub(crate) use units::Units;

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

/// What is to be done next.
pub(crate) enum Work {
    /// Orders that are known beforehand.
    Orders(Stage),
    /// PraDeT's refinement, where each order depends on the runs before.
    Refinement,
}

impl Work {
    /// How far it is before it begins.
    pub(crate) fn progress(&self) -> StageProgress {
        let (algorithm, name, planned) = match self {
            Self::Orders(stage) => (stage.algorithm, stage.name, stage.planned),
            Self::Refinement => (Algorithm::Pradet, "pradet", 0),
        };
        StageProgress { algorithm, name: name.into(), done: 0, planned }
    }
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
pub(crate) fn plan(roster: &Roster, config: &Config) -> Result<Vec<Work>, SetupError> {
    if config.k == 0 {
        return Err(SetupError::ZeroK);
    }
    let units = Units::new(roster, config.granularity);
    match &config.strategy {
        Strategy::Only(algorithms) => {
            let work = algorithms.iter().map(|&algorithm| {
                let stages = match algorithm {
                    Algorithm::Reverse => reverse::stages(roster, &units),
                    Algorithm::Random => random::stages(roster, config, 0..config.trials),
                    Algorithm::Isolate => isolate::stages(&units),
                    Algorithm::Exhaustive => exhaustive::stages(&units, config.k),
                    Algorithm::Pairs => pairs(roster, config),
                    Algorithm::Given => given::stages(roster, &config.given),
                    Algorithm::DependenceAware => dependence_aware(roster, &units, config)?,
                    Algorithm::Pradet if config.tracing => return Ok(vec![Work::Refinement]),
                    Algorithm::Pradet => return Err(SetupError::NoTracing),
                };
                Ok(stages.into_iter().map(Work::Orders).collect())
            });
            Ok(work.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        }
        Strategy::Guided | Strategy::Deepening => {
            Ok(deepening(roster, &units, config).into_iter().map(Work::Orders).collect())
        }
    }
}

/// Orders in which every class, and every test, directly follows every other.
pub(crate) fn pairs(roster: &Roster, config: &Config) -> Vec<Stage> {
    pairs_among(roster.classes(), config)
}

/// The same for tests of these classes alone.
pub(crate) fn pairs_among(classes: &[Vec<TestNumber>], config: &Config) -> Vec<Stage> {
    let mut stages = pairs::by_class(classes, config.granularity);
    stages.extend(pairs::by_method(classes, config.granularity));
    stages
}

/// The reversed orders.
pub(crate) fn reversed(roster: &Roster, config: &Config) -> Vec<Stage> {
    reverse::stages(roster, &Units::new(roster, config.granularity))
}

/// Shuffles: those that are always tried, and those that deepen.
pub(crate) fn shuffles(roster: &Roster, config: &Config) -> (Vec<Stage>, Vec<Stage>) {
    let early = config.trials.min(EARLY_TRIALS);
    let more = random::stages(roster, config, early..config.trials).into_iter();
    let more = more.map(|stage| Stage { name: "more random", ..stage }).collect();
    (random::stages(roster, config, 0..early), more)
}

fn deepening(roster: &Roster, units: &Units, config: &Config) -> Vec<Stage> {
    let (early, more) = shuffles(roster, config);
    let mut stages = reverse::stages(roster, units);
    stages.extend(early);
    // A trace tells which isolated runs and which pairs are worth their time.
    match dependence_aware(roster, units, config) {
        Ok(aware) => stages.extend(aware),
        Err(_) => stages.extend(isolate::stages(units)),
    }
    stages.extend(pairs::by_class(roster.classes(), config.granularity));
    stages.extend(more);
    stages.extend(pairs::by_method(roster.classes(), config.granularity));
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
fn classes_matter(classes: &[Vec<TestNumber>], granularity: Granularity) -> bool {
    granularity == Granularity::Method
        && classes.len() > 1
        && classes.iter().any(|class| class.len() > 1)
}
