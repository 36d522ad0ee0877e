package org.eclipse.aether.resolution;

/** Declaration for the compiler only; Maven brings the real one. */
public final class DependencyResult {
    public native java.util.List<ArtifactResult> getArtifactResults();
}
