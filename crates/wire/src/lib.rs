//! The versioned protocol between the residue host and the runner inside the JVM under test.
