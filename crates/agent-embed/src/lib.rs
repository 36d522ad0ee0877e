//! The agent library and the one that is preloaded, built and embedded, so that
//! the binary works on its own.

/// What `-agentpath` loads: to be written to a file that the JVM can open.
pub const AGENT_LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent-library"));

/// What the dynamic loader loads first into the JVM and its children.
pub const INTERPOSE_LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/interpose-library"));
