//! The Java parts of residue, compiled by `javac` and embedded as jars, so
//! that the binary works on its own.

/// Runs inside the JVM under test: lists tests and runs orders.
pub const RUNNER_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runner.jar"));

/// Runs inside Maven: reports how Surefire is configured.
pub const MAVEN_PROBE_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/maven-probe.jar"));
