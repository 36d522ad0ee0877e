package org.junit.runners;

import org.junit.runner.Runner;
import org.junit.runners.model.RunnerScheduler;

/** Since 4.5. */
public abstract class ParentRunner<T> extends Runner {
    /** Since 4.7. */
    public void setScheduler(RunnerScheduler scheduler) {}
}
