package org.testng;

import org.testng.xml.XmlTest;

public interface ITestContext {
    ITestNGMethod[] getAllTestMethods();

    XmlTest getCurrentXmlTest();
}
