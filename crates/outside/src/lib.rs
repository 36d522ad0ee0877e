//! What tests do outside the heap: files, sockets, environment, programs.
//!
//! A library that is preloaded into the JVM and its children (`crates/interpose`)
//! logs what they do. Here is the format of that log ([`layout`], [`Log`]), the
//! [`Rules`] about what matters, and what it all means: which epoch read and
//! wrote which location ([`accesses`]). Nothing here performs IO.

mod address;
pub mod environment;
mod event;
mod glob;
mod history;
pub mod layout;
mod log;
mod metadata;
mod rules;

pub use event::{Event, EventKind, NOBODYS, flags};
pub use history::{FileSystem, accesses};
pub use log::{Log, NotALog, Saving, empty_log};
pub use metadata::Metadata;
pub use rules::{BadRule, DEFAULTS, Places, Rules, is_about_outside};
