package org.apache.maven.plugin;

/** Declaration for the compiler only; Maven brings the real one. */
public interface Mojo {}
