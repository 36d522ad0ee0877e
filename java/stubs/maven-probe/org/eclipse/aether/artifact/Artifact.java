package org.eclipse.aether.artifact;

/** Declaration for the compiler only; Maven brings the real one. */
public interface Artifact {
    String getGroupId();

    String getArtifactId();

    java.io.File getFile();
}
