package org.testng;

public interface IConfigureCallBack {
    void runConfigurationMethod(ITestResult testResult);
}
