//! The agent library, built and embedded, so that the binary works on its own.

/// What `-agentpath` loads: to be written to a file that the JVM can open.
pub const AGENT_LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent-library"));
