package org.eclipse.aether.collection;

/** Declaration for the compiler only; Maven brings the real one. */
public final class CollectRequest {
    public native CollectRequest addDependency(org.eclipse.aether.graph.Dependency dependency);

    public native CollectRequest setRepositories(
            java.util.List<org.eclipse.aether.repository.RemoteRepository> repositories);
}
