package org.junit.platform.launcher;

public interface Launcher {
    TestPlan discover(LauncherDiscoveryRequest discoveryRequest);

    void execute(LauncherDiscoveryRequest discoveryRequest, TestExecutionListener... listeners);
}
