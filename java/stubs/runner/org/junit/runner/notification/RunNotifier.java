package org.junit.runner.notification;

import org.junit.runner.Description;
import org.junit.runner.Result;

public class RunNotifier {
    public void addListener(RunListener listener) {}

    public void addFirstListener(RunListener listener) {}

    public void removeListener(RunListener listener) {}

    public void fireTestRunStarted(Description description) {}

    public void fireTestRunFinished(Result result) {}
}
