//! Findings and runs as text for people and JSON for programs.
