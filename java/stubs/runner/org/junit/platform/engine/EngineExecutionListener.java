package org.junit.platform.engine;

public interface EngineExecutionListener {
    void executionStarted(TestDescriptor testDescriptor);

    void executionFinished(TestDescriptor testDescriptor, TestExecutionResult testExecutionResult);
}
