package residue.runner.testng;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testng.IConfigurable;
import org.testng.IConfigureCallBack;
import org.testng.IHookCallBack;
import org.testng.IHookable;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.annotations.Test;
import org.testng.xml.XmlSuite;

/**
 * Lets TestNG go through its suites without calling tests and fixtures, to see which methods it
 * runs, in which order, and how many invocations each has. Factories and data providers do run.
 *
 * <p>TestNG can do that by itself since 6.14. In older versions a test class that is its own
 * {@link IHookable} (Spring's base classes are) calls its tests all the same; its fixtures then run
 * too, so that its tests find what they expect.
 */
final class DryRun implements ITestListener {
    private static final String SWITCH = "testng.mode.dryrun";

    private final List<Seen> seen = new ArrayList<Seen>();
    private final String file;
    private Seen current;

    /** @param file the suite file; empty if the build selects classes */
    DryRun(String file) {
        this.file = file;
    }

    /** One TestNG test as it went. */
    static final class Seen {
        final Origin origin;
        final ContextMethods methods;
        /** How often each method started; 0 if TestNG gave up before. */
        final Map<MethodKey, Integer> starts = new LinkedHashMap<MethodKey, Integer>();

        Seen(Origin origin, ContextMethods methods) {
            this.origin = origin;
            this.methods = methods;
        }
    }

    List<Seen> seen() {
        return seen;
    }

    /** Goes through the suites without calling tests. */
    void perform(List<XmlSuite> suites) {
        System.setProperty(SWITCH, "true");
        try {
            QuietTestNg.run(suites, Arrays.asList(this, new NoTests(), new NoFixtures()));
        } finally {
            System.clearProperty(SWITCH);
        }
    }

    /** Replaces the calls of test methods. TestNG takes one such listener. */
    private static final class NoTests implements IHookable {
        @Override
        public void run(IHookCallBack callBack, ITestResult result) {}
    }

    /** Replaces the calls of fixtures. */
    private static final class NoFixtures implements IConfigurable {
        @Override
        public void run(IConfigureCallBack callBack, ITestResult result) {
            if (IHookable.class.isAssignableFrom(
                    result.getMethod().getTestClass().getRealClass())) {
                callBack.runConfigurationMethod(result);
            }
        }
    }

    @Override
    public void onStart(ITestContext context) {
        Origin origin =
                new Origin(
                        file,
                        context.getCurrentXmlTest().getSuite().getName(),
                        context.getCurrentXmlTest().getName());
        current = new Seen(origin, new ContextMethods(context));
        seen.add(current);
        for (ITestNGMethod method : current.methods.all().values()) {
            method.setThreadPoolSize(0);
        }
    }

    @Override
    public void onTestStart(ITestResult result) {
        count(result, 1);
    }

    @Override
    public void onTestSuccess(ITestResult result) {}

    @Override
    public void onTestFailure(ITestResult result) {
        count(result, 0);
    }

    @Override
    public void onTestSkipped(ITestResult result) {
        boolean startsAgain = hasStarted(result) && Versions.willBeRetried(result);
        count(result, startsAgain ? -1 : 0);
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult result) {}

    @Override
    public void onFinish(ITestContext context) {}

    private boolean hasStarted(ITestResult result) {
        Integer starts = current.starts.get(current.methods.key(result.getMethod()));
        return starts != null && starts > 0;
    }

    private void count(ITestResult result, int more) {
        MethodKey key = current.methods.key(result.getMethod());
        Integer before = current.starts.get(key);
        current.starts.put(key, (before == null ? 0 : before) + more);
    }

    static Locator.Repeat repeat(ITestNGMethod method, int starts) {
        if (hasDataProvider(method)) {
            return Locator.Repeat.ROWS;
        }
        return method.getInvocationCount() > 1 || starts > 1
                ? Locator.Repeat.COUNT
                : Locator.Repeat.NONE;
    }

    static boolean hasDataProvider(ITestNGMethod method) {
        Method declared = method.getConstructorOrMethod().getMethod();
        Test own = declared.getAnnotation(Test.class);
        if (own != null && !own.dataProvider().isEmpty()) {
            return true;
        }
        Class<?> type = method.getTestClass().getRealClass();
        for (; type != null; type = type.getSuperclass()) {
            Test ofClass = type.getAnnotation(Test.class);
            if (ofClass != null) {
                return !ofClass.dataProvider().isEmpty() && declared.getParameterTypes().length > 0;
            }
        }
        return false;
    }
}
