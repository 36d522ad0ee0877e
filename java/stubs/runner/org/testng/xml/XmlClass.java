package org.testng.xml;

public class XmlClass {
    public XmlClass(String className) {}

    public void setIndex(int index) {}
}
