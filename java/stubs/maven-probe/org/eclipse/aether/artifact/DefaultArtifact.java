package org.eclipse.aether.artifact;

/** Declaration for the compiler only; Maven brings the real one. */
public final class DefaultArtifact implements Artifact {
    public DefaultArtifact(String coordinates) {}

    @Override
    public native String getGroupId();

    @Override
    public native String getArtifactId();

    @Override
    public native java.io.File getFile();
}
