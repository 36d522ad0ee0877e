package residue.runner.testng;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.SkipException;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** What differs between the versions of TestNG from 6.8 to 7.x. */
final class Versions {
    private Versions() {}

    /** Switches parallel running off where a suite file switched it on. */
    static void runSequentially(XmlSuite suite) {
        if (isParallel(suite)) {
            setParallelNone(suite);
        }
    }

    static void runSequentially(XmlTest test) {
        if (isParallel(test)) {
            setParallelNone(test);
        }
    }

    /** Keeps TestNG from ordering methods by the order of their classes. */
    static void mixClasses(XmlTest test) {
        Method flag = find(XmlTest.class, "setPreserveOrder", Boolean.class);
        if (flag != null) {
            call(flag, test, false);
            return;
        }
        Method text = find(XmlTest.class, "setPreserveOrder", String.class);
        if (text != null) {
            call(text, test, "false");
        }
    }

    /** TestNG sorts the tests of a suite by their index in the file; settable only in newer versions. */
    static void setIndex(XmlTest test, int index) {
        Method setter = find(XmlTest.class, "setIndex", int.class);
        if (setter != null) {
            call(setter, test, index);
            return;
        }
        try {
            Field field = XmlTest.class.getDeclaredField("m_index");
            field.setAccessible(true);
            field.setInt(test, index);
        } catch (NoSuchFieldException | IllegalAccessException otherVersion) {
            throw new IllegalStateException(
                    "this version of TestNG does not let its tests be ordered", otherVersion);
        }
    }

    /** Whether TestNG will run this invocation again because a retry analyzer asked for it. */
    static boolean willBeRetried(ITestResult skipped) {
        Method wasRetried = find(ITestResult.class, "wasRetried");
        if (wasRetried != null) {
            return Boolean.TRUE.equals(call(wasRetried, skipped));
        }
        // Before 7.0 a failure that is to be retried is reported as a skip that kept its throwable.
        Method retryAnalyzer = find(ITestNGMethod.class, "getRetryAnalyzer");
        Throwable thrown = skipped.getThrowable();
        return retryAnalyzer != null
                && thrown != null
                && !(thrown instanceof SkipException)
                && call(retryAnalyzer, skipped.getMethod()) != null;
    }

    /** Since 7.0 what a factory made comes in a wrapper that also knows the factory's parameters. */
    static Object unwrapped(Object made, Class<?> type) {
        Method getter = type.isInstance(made) ? null : find(made.getClass(), "getInstance");
        if (getter == null) {
            return made;
        }
        getter.setAccessible(true);
        return call(getter, made);
    }

    /** Reads a suite file with TestNG's own parser, which newer versions keep in an internal package. */
    static List<XmlSuite> parse(String file) throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName("org.testng.xml.Parser");
        } catch (ClassNotFoundException moved) {
            type = Class.forName("org.testng.xml.internal.Parser");
        }
        Object parser = type.getConstructor(String.class).newInstance(file);
        List<XmlSuite> suites = new ArrayList<XmlSuite>();
        for (Object suite : (Iterable<?>) type.getMethod("parseToList").invoke(parser)) {
            suites.add((XmlSuite) suite);
        }
        return suites;
    }

    private static boolean isParallel(Object suiteOrTest) {
        Method getter = find(suiteOrTest.getClass(), "getParallel");
        Object mode = getter == null ? null : call(getter, suiteOrTest);
        return mode != null
                && !mode.toString().equalsIgnoreCase("none")
                && !mode.toString().equalsIgnoreCase("false");
    }

    /** The mode is an enumeration since 6.9, and was a text before. */
    private static void setParallelNone(Object suiteOrTest) {
        for (Method method : suiteOrTest.getClass().getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (!method.getName().equals("setParallel") || types.length != 1) {
                continue;
            }
            if (types[0].isEnum()) {
                for (Object mode : types[0].getEnumConstants()) {
                    if (mode.toString().equalsIgnoreCase("none")) {
                        call(method, suiteOrTest, mode);
                        return;
                    }
                }
            }
        }
        Method text = find(suiteOrTest.getClass(), "setParallel", String.class);
        if (text != null) {
            call(text, suiteOrTest, "none");
        }
    }

    private static Method find(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException otherVersion) {
            return null;
        }
    }

    private static Object call(Method method, Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (IllegalAccessException unusable) {
            throw new IllegalStateException(method + " cannot be called", unusable);
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(method + " failed", thrown.getCause());
        }
    }
}
