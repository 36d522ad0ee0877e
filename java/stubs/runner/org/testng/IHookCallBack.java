package org.testng;

public interface IHookCallBack {
    void runTestMethod(ITestResult testResult);
}
