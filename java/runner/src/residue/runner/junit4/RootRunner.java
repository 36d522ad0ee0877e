package residue.runner.junit4;

import org.junit.runner.Request;
import org.junit.runner.Runner;

/** Makes the runner that JUnit picks for a class, anew whenever asked: requests keep theirs. */
public final class RootRunner {
    private final Class<?> testClass;
    private final boolean honoursSuiteMethod;

    private RootRunner(Class<?> testClass, boolean honoursSuiteMethod) {
        this.testClass = testClass;
        this.honoursSuiteMethod = honoursSuiteMethod;
    }

    /** For a class that the build selects. */
    public static RootRunner of(Class<?> testClass) {
        return new RootRunner(testClass, true);
    }

    /** For a class that a {@code suite()} method adapts; it may be the one that has the method. */
    public static RootRunner ofAdapted(Class<?> testClass) {
        return new RootRunner(testClass, false);
    }

    String className() {
        return testClass.getName();
    }

    Runner create() {
        Request request =
                honoursSuiteMethod
                        ? Request.aClass(testClass)
                        : Request.classWithoutSuiteMethod(testClass);
        return request.getRunner();
    }
}
