package residue.runner.junit3;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestResult;

/** One test method of a class that belongs to no framework. */
final class PlainClassTest implements Test {
    private final PlainClassSuite suite;
    private final Method method;

    PlainClassTest(PlainClassSuite suite, Method method) {
        this.suite = suite;
        this.method = method;
    }

    String getName() {
        return method.getName();
    }

    @Override
    public int countTestCases() {
        return 1;
    }

    @Override
    public void run(TestResult result) {
        result.startTest(this);
        try {
            Object instance = suite.testClass().getConstructor().newInstance();
            invoke(suite.setUp(), instance);
            try {
                invoke(method, instance);
            } finally {
                invoke(suite.tearDown(), instance);
            }
        } catch (AssertionFailedError failed) {
            result.addFailure(this, failed);
        } catch (Throwable thrown) {
            result.addError(this, thrown);
        }
        result.endTest(this);
    }

    private static void invoke(Method methodOrNull, Object instance) throws Throwable {
        if (methodOrNull != null) {
            try {
                methodOrNull.invoke(instance);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
    }
}
