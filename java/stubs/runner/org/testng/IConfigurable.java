package org.testng;

public interface IConfigurable extends ITestNGListener {
    void run(IConfigureCallBack callBack, ITestResult testResult);
}
