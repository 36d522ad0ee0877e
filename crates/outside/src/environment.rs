//! How a process that is started learns that it is to log.

/// The variable with the path of the log.
pub const LOG: &str = "RESIDUE_OUTSIDE_LOG";
/// The variable with the number of the epoch that starts the process. The JVM
/// has none: what it does belongs to the current epoch.
pub const EPOCH: &str = "RESIDUE_OUTSIDE_EPOCH";
/// The dynamic loader's variable with libraries to load first.
pub const PRELOAD: &str = "LD_PRELOAD";
