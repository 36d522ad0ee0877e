//! One module a command.

mod deps;
mod detect;
mod explain;
mod list;
mod polluters;
mod prioritize;
mod replay;
mod replay_finding;
mod run;
mod runs;
mod schedule;
mod select;
mod show;
mod test;
mod trace;

pub use deps::deps;
pub use detect::{detect, save_findings};
pub use explain::explain;
pub use list::list;
pub use polluters::polluters;
pub use prioritize::prioritize;
pub use replay::replay;
pub use run::run;
pub use runs::runs;
pub use schedule::schedule;
pub use select::select;
pub use show::show;
pub use test::test;
pub use trace::trace;
