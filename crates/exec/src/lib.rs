//! Runs test orders: the executor trait, local JVM processes, and a fake.
