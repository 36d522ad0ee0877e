//! One module a command.

mod deps;
mod detect;
mod explain;
mod list;
mod replay;
mod replay_finding;
mod run;
mod runs;
mod show;
mod trace;

pub use deps::deps;
pub use detect::detect;
pub use explain::explain;
pub use list::list;
pub use replay::replay;
pub use run::run;
pub use runs::runs;
pub use show::show;
pub use trace::trace;
