package org.testng;

import java.util.List;
import org.testng.xml.XmlSuite;

public class TestNG {
    public TestNG(boolean useDefaultListeners) {}

    public void setVerbose(int verbose) {}

    public void setXmlSuites(List<XmlSuite> suites) {}

    public void addListener(Object listener) {}

    public void setDataProviderThreadCount(int count) {}

    public void run() {}
}
