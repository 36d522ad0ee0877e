package org.testng.xml;

public class XmlMethodSelector {
    public void setName(String name) {}

    public void setPriority(int priority) {}
}
