package org.testng.xml;

import java.util.List;

public class XmlTest {
    public XmlTest(XmlSuite suite) {}

    public XmlSuite getSuite() {
        return null;
    }

    public String getName() {
        return null;
    }

    public void setName(String name) {}

    public void setXmlClasses(List<XmlClass> classes) {}

    public List<XmlClass> getXmlClasses() {
        return null;
    }

    public List<XmlMethodSelector> getMethodSelectors() {
        return null;
    }

    public void setMethodSelectors(List<XmlMethodSelector> selectors) {}

    public void setGroupByInstances(boolean group) {}

    public void setXmlSuite(XmlSuite suite) {}
}
