package org.testng.xml;

import java.util.List;

public class XmlSuite {
    public String getName() {
        return null;
    }

    public void setName(String name) {}

    public List<XmlTest> getTests() {
        return null;
    }

    public void setTests(List<XmlTest> tests) {}

    public List<XmlSuite> getChildSuites() {
        return null;
    }

    public void setSuiteFiles(List<String> files) {}

    public void setDataProviderThreadCount(int count) {}
}
