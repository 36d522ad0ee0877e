package org.apache.maven.plugin;

/** Declaration for the compiler only; Maven brings the real one. */
public class MojoExecutionException extends Exception {
    private static final long serialVersionUID = 1L;

    public MojoExecutionException(String message, Throwable cause) {
        super(message, cause);
    }
}
