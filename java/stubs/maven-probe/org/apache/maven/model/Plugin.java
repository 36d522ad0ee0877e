package org.apache.maven.model;

/** Declaration for the compiler only; Maven brings the real one. */
public class Plugin {
    public native java.util.List<Dependency> getDependencies();
}
