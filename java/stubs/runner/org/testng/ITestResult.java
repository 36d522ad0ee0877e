package org.testng;

public interface ITestResult {
    ITestNGMethod getMethod();

    Throwable getThrowable();

    ITestContext getTestContext();

    Object getInstance();
}
