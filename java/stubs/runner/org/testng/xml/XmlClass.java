package org.testng.xml;

public class XmlClass {
    public XmlClass(String className) {}

    public String getName() {
        return null;
    }

    public void setIndex(int index) {}
}
