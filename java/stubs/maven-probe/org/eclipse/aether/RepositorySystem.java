package org.eclipse.aether;

/** Declaration for the compiler only; Maven brings the real one. */
public interface RepositorySystem {
    org.eclipse.aether.resolution.DependencyResult resolveDependencies(
            RepositorySystemSession session, org.eclipse.aether.resolution.DependencyRequest request)
            throws org.eclipse.aether.resolution.DependencyResolutionException;
}
