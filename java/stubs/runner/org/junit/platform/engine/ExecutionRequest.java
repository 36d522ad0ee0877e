package org.junit.platform.engine;

public class ExecutionRequest {
    ExecutionRequest() {}

    public TestDescriptor getRootTestDescriptor() {
        return null;
    }

    public EngineExecutionListener getEngineExecutionListener() {
        return null;
    }
}
