package org.testng;

import java.io.Serializable;
import java.util.List;

/** Serializable up to 6.14. */
public interface IMethodSelector extends Serializable {
    boolean includeMethod(
            IMethodSelectorContext context, ITestNGMethod method, boolean isTestMethod);

    void setTestMethods(List<ITestNGMethod> testMethods);
}
