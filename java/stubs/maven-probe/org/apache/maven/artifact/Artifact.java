package org.apache.maven.artifact;

/** Declaration for the compiler only; Maven brings the real one. */
public interface Artifact {
    String getGroupId();

    String getArtifactId();

    String getBaseVersion();
}
