package org.eclipse.aether;

/** Declaration for the compiler only; Maven brings the real one. */
public interface RepositorySystemSession {}
