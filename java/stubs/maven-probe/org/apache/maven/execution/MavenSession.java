package org.apache.maven.execution;

/** Declaration for the compiler only; Maven brings the real one. */
public class MavenSession {
    public native java.util.List<org.apache.maven.project.MavenProject> getProjects();

    public native java.util.Properties getUserProperties();

    public native org.eclipse.aether.RepositorySystemSession getRepositorySession();
}
