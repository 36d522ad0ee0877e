package org.eclipse.aether.repository;

/** Declaration for the compiler only; Maven brings the real one. */
public final class RemoteRepository {}
