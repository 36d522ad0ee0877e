//! The Java parts of residue, compiled by `javac` and embedded, so that the
//! binary works on its own.

/// Runs inside the JVM under test: lists tests and runs orders.
pub const RUNNER_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runner.jar"));

/// Runs inside Maven: reports how Surefire is configured.
pub const MAVEN_PROBE_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/maven-probe.jar"));

/// What rewritten code calls inside the JVM under test: names, with slashes, and
/// bytes of the classes that the agent defines into `java.base`.
pub const HOOK_CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/hook_classes.rs"));
