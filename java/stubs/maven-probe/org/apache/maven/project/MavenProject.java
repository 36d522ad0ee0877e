package org.apache.maven.project;

/** Declaration for the compiler only; Maven brings the real one. */
public class MavenProject {
    public native java.io.File getBasedir();

    public native java.util.Properties getProperties();

    public native java.util.Set<org.apache.maven.artifact.Artifact> getArtifacts();

    public native java.util.List<org.eclipse.aether.repository.RemoteRepository> getRemoteProjectRepositories();
}
