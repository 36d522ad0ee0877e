package org.apache.maven.plugin;

/** Declaration for the compiler only; Maven brings the real one. */
public class MojoExecution {
    public native String getGroupId();

    public native String getArtifactId();

    public native String getVersion();

    public native String getGoal();

    public native String getExecutionId();

    public native org.apache.maven.model.Plugin getPlugin();
}
