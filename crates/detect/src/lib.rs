//! Which outcomes depend on the order: orders to try, differences to explain.
//!
//! Nothing here performs IO, starts a process, reads a clock or draws its own
//! seed: a [`Detection`] says which runs it wants, is told what happened, and
//! has findings. Inside, the algorithms are `async` functions that wait for
//! answers (`desk`); `explore` is the base algorithm of DTDetector, `orders`
//! its instances, `pradet` PraDeT's refinement, `explain` the way from a
//! difference to a finding. `knowledge` is what traced runs taught, and
//! `guided` the way that runs only what it does not tell.
//!
//! Invariants:
//! - every order and outcome in a finding was run, and run again;
//! - a test that ends differently in one and the same order is no evidence;
//! - a run that deviated from its order, or never reached a test, says nothing
//!   about that test in that order;
//! - what is asked depends on answers, never on when they came;
//! - what traces imply saves runs, and is never evidence.

mod accesses;
mod bits;
mod budget;
mod cause;
mod comparison;
mod config;
mod coverage;
mod desk;
mod detection;
mod examine;
mod explain;
mod explore;
mod failures;
mod finding;
mod guided;
mod join;
mod knowledge;
mod lengthy;
mod observation;
mod orders;
mod pause;
mod pradet;
mod purpose;
mod reference;
mod reference_runs;
mod roster;
mod shared;
mod shuffle;
mod trace;
mod waiting;

pub use accesses::{Accesses, Location};
pub use budget::Budget;
pub use cause::smallest_cause;
pub use comparison::Comparison;
pub use config::{
    Algorithm, Config, Granularity, PradetConfig, ReferenceOrder, Selection, SetupError, Strategy,
};
pub use coverage::{Conflicts, Coverage, Restriction, Share, StageProgress, TracedCoverage};
pub use detection::{Detection, Status, Ticket, Wanted};
pub use finding::{
    CleanerSet, Company, Finding, Origin, PartnerSet, Role, Unexplained, Unreproduced, Varying,
    Verdict, Witness,
};
pub use pradet::{Fate, RefinedEdge};
pub use purpose::{Purpose, Step};
pub use reference::{Difference, Reference};
pub use shuffle::{shuffled, shuffled_by_class};
pub use trace::{Actor, RunAccesses, Stretch, ValueDigest, Write};
