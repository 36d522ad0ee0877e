//! Rules that say which fields are not tracked.
//!
//! A field that is ignored is neither recorded nor followed when looking for
//! objects that outlive a test. Rules come from three places, weakest first:
//! the defaults that are built in, the user's `residue.toml`, the command line.
//! The last rule that matches a field decides; a field that no rule matches is
//! tracked. The syntax is described at the top of the [defaults](DEFAULTS).
//!
//! Nothing here performs IO. A decision is made once for each field when its
//! class is loaded, so rules are indexed by class.

mod decision;
mod glob;
mod index;
mod parse;
mod rule;
mod rules;

pub use decision::{ClassRules, Decision};
pub use parse::{BadRule, BadRules};
pub use rule::{Effect, Origin, Rule};
pub use rules::{DEFAULTS, Rules};
