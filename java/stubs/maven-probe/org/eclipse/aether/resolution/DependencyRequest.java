package org.eclipse.aether.resolution;

/** Declaration for the compiler only; Maven brings the real one. */
public final class DependencyRequest {
    public DependencyRequest(
            org.eclipse.aether.collection.CollectRequest request, org.eclipse.aether.graph.DependencyFilter filter) {}
}
