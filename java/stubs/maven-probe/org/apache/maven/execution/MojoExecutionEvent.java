package org.apache.maven.execution;

/** Declaration for the compiler only; Maven brings the real one. */
public class MojoExecutionEvent {
    public native MavenSession getSession();

    public native org.apache.maven.project.MavenProject getProject();

    public native org.apache.maven.plugin.MojoExecution getExecution();

    public native org.apache.maven.plugin.Mojo getMojo();
}
