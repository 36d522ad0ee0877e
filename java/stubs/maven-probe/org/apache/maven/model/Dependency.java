package org.apache.maven.model;

/** Declaration for the compiler only; Maven brings the real one. */
public class Dependency {
    public native String getGroupId();

    public native String getArtifactId();

    public native String getVersion();
}
