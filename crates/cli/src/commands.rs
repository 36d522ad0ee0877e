//! One module a command.

mod list;
mod replay;
mod run;
mod runs;
mod show;

pub use list::list;
pub use replay::replay;
pub use run::run;
pub use runs::runs;
pub use show::show;
