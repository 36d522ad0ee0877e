package org.junit.runners.model;

/** Since 4.7. */
public interface RunnerScheduler {
    void schedule(Runnable childStatement);

    void finished();
}
