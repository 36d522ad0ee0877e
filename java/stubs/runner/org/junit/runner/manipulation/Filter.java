package org.junit.runner.manipulation;

import org.junit.runner.Description;

public abstract class Filter {
    public abstract boolean shouldRun(Description description);

    public abstract String describe();

    /** Since 4.5; 4.4 has the same for a Runner. */
    public void apply(Object child) throws NoTestsRemainException {}
}
