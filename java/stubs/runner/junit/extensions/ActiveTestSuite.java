package junit.extensions;

import junit.framework.TestSuite;

public class ActiveTestSuite extends TestSuite {
    public ActiveTestSuite(Class<?> testClass) {
        super(testClass);
    }
}
