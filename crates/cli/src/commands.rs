//! One module a command.

mod detect;
mod list;
mod replay;
mod replay_finding;
mod run;
mod runs;
mod show;

pub use detect::detect;
pub use list::list;
pub use replay::replay;
pub use run::run;
pub use runs::runs;
pub use show::show;
