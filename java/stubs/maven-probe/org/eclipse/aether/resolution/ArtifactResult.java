package org.eclipse.aether.resolution;

/** Declaration for the compiler only; Maven brings the real one. */
public final class ArtifactResult {
    public native org.eclipse.aether.artifact.Artifact getArtifact();
}
