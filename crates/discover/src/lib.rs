//! From a Maven, Gradle or plain class-path project to the suites it would run.
