package org.junit.platform.launcher;

/** Since 1.8. */
public interface LauncherSession extends AutoCloseable {
    Launcher getLauncher();

    @Override
    void close();
}
