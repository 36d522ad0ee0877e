package org.eclipse.aether.resolution;

/** Declaration for the compiler only; Maven brings the real one. */
public class DependencyResolutionException extends Exception {
    private static final long serialVersionUID = 1L;
}
