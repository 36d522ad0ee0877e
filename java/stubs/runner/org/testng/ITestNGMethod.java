package org.testng;

import java.util.List;
import org.testng.internal.ConstructorOrMethod;
import org.testng.xml.XmlTest;

public interface ITestNGMethod {
    ITestClass getTestClass();

    String getMethodName();

    Object getInstance();

    String[] getGroups();

    String[] getGroupsDependedUpon();

    String[] getMethodsDependedUpon();

    boolean isBeforeMethodConfiguration();

    boolean isBeforeClassConfiguration();

    boolean isBeforeSuiteConfiguration();

    boolean isBeforeTestConfiguration();

    boolean isBeforeGroupsConfiguration();

    int getInvocationCount();

    void setInvocationCount(int count);

    void setThreadPoolSize(int threadPoolSize);

    void setIgnoreMissingDependencies(boolean ignore);

    void setInvocationNumbers(List<Integer> numbers);

    void setPriority(int priority);

    XmlTest getXmlTest();

    ConstructorOrMethod getConstructorOrMethod();
}
