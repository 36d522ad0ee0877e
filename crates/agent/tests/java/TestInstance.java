package org.junit.jupiter.api;

/** Stands for JUnit's, of which the agent knows the name only. */
public @interface TestInstance {}
