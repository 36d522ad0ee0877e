package org.junit.platform.engine;

import java.util.Optional;

public class TestExecutionResult {
    public enum Status {
        SUCCESSFUL,
        ABORTED,
        FAILED
    }

    TestExecutionResult() {}

    public static TestExecutionResult successful() {
        return new TestExecutionResult();
    }

    public Status getStatus() {
        return Status.SUCCESSFUL;
    }

    public Optional<Throwable> getThrowable() {
        return Optional.empty();
    }
}
