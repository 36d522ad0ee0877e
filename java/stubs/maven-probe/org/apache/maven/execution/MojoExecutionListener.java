package org.apache.maven.execution;

/** Declaration for the compiler only; Maven brings the real one. */
public interface MojoExecutionListener {
    void beforeMojoExecution(MojoExecutionEvent event) throws org.apache.maven.plugin.MojoExecutionException;

    void afterMojoExecutionSuccess(MojoExecutionEvent event) throws org.apache.maven.plugin.MojoExecutionException;

    void afterExecutionFailure(MojoExecutionEvent event);
}
