package org.testng;

public interface IMethodSelectorContext {
    void setStopped(boolean stopped);
}
