package org.eclipse.aether.graph;

/** Declaration for the compiler only; Maven brings the real one. */
public interface DependencyFilter {}
