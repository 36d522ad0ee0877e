package residue.runner.junit3;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import junit.framework.Test;
import junit.framework.TestResult;

/**
 * The {@code test...} methods of a class that belongs to no framework, with its {@code setUp} and
 * {@code tearDown}. Surefire runs such classes when there is no JUnit newer than 3.
 */
final class PlainClassSuite implements Test {
    private final Class<?> testClass;
    private final List<PlainClassTest> tests = new ArrayList<PlainClassTest>();
    private Method setUp;
    private Method tearDown;

    PlainClassSuite(Class<?> testClass) {
        this.testClass = testClass;
        for (Method method : testClass.getMethods()) {
            if (!isPlain(method)) {
                continue;
            }
            if (method.getName().startsWith("test")) {
                tests.add(new PlainClassTest(this, method));
            } else if (method.getName().equals("setUp")) {
                setUp = method;
            } else if (method.getName().equals("tearDown")) {
                tearDown = method;
            }
        }
    }

    static boolean accepts(Class<?> candidate) {
        try {
            candidate.getConstructor();
            return true;
        } catch (NoSuchMethodException notInstantiable) {
            return false;
        }
    }

    private static boolean isPlain(Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && method.getReturnType() == void.class
                && method.getParameterTypes().length == 0;
    }

    Class<?> testClass() {
        return testClass;
    }

    List<PlainClassTest> tests() {
        return tests;
    }

    /** Null if the class has none. */
    Method setUp() {
        return setUp;
    }

    /** Null if the class has none. */
    Method tearDown() {
        return tearDown;
    }

    @Override
    public int countTestCases() {
        return tests.size();
    }

    @Override
    public void run(TestResult result) {
        for (PlainClassTest test : tests) {
            test.run(result);
        }
    }
}
