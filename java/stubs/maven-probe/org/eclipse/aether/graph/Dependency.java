package org.eclipse.aether.graph;

/** Declaration for the compiler only; Maven brings the real one. */
public final class Dependency {
    public Dependency(org.eclipse.aether.artifact.Artifact artifact, String scope) {}
}
