package org.testng;

public interface IHookable extends ITestNGListener {
    void run(IHookCallBack callBack, ITestResult testResult);
}
