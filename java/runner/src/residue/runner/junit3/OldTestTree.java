package residue.runner.junit3;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import junit.extensions.ActiveTestSuite;
import junit.extensions.RepeatedTest;
import junit.extensions.TestDecorator;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import residue.runner.StepNames;

/** Asks a root class for its tests, as the framework does, and makes a tree of them. */
final class OldTestTree {
    private static final String ADAPTER = "junit.framework.JUnit4TestAdapter";

    private OldTestTree() {}

    static OldTest of(Class<?> root) throws Throwable {
        return node(testsOf(root), "", root.getName());
    }

    private static Test testsOf(Class<?> root) throws Throwable {
        Method suite = JUnit3Classes.suiteMethod(root);
        if (suite != null) {
            try {
                return (Test) suite.invoke(null);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
        if (TestCase.class.isAssignableFrom(root)) {
            return new TestSuite(root);
        }
        if (Test.class.isAssignableFrom(root)) {
            return (Test) root.getConstructor().newInstance();
        }
        return new PlainClassSuite(root);
    }

    private static OldTest node(Test test, String step, String suiteName) {
        if (test instanceof PlainClassSuite) {
            return plainClass((PlainClassSuite) test, step, suiteName);
        }
        if (test instanceof TestSuite) {
            return suite((TestSuite) test, step, suiteName);
        }
        if (test instanceof RepeatedTest) {
            return repeated((RepeatedTest) test, step, suiteName);
        }
        if (test instanceof TestDecorator) {
            OldTest node = new OldTest(OldTest.Kind.FIXTURE, test, step, suiteName);
            Test inner = ((TestDecorator) test).getTest();
            node.children.add(node(inner, nameOf(inner), suiteName));
            return node;
        }
        boolean adapted = isAdapter(test);
        return new OldTest(adapted ? OldTest.Kind.ADAPTED : OldTest.Kind.LEAF, test, step, suiteName);
    }

    private static OldTest suite(TestSuite suite, String step, String outerName) {
        String name = suite.getName();
        boolean named = name != null && !name.isEmpty() && name.indexOf(' ') < 0;
        OldTest node =
                new OldTest(
                        hasOwnRun(suite.getClass()) ? OldTest.Kind.FIXTURE : OldTest.Kind.PLAIN_SUITE,
                        suite,
                        step,
                        named ? name : outerName);
        StepNames steps = new StepNames();
        for (int i = 0; i < suite.testCount(); i++) {
            Test child = suite.testAt(i);
            if (child != null) {
                node.children.add(node(child, steps.unique(nameOf(child)), node.suiteName));
            }
        }
        return node;
    }

    private static OldTest repeated(RepeatedTest test, String step, String suiteName) {
        OldTest node = new OldTest(OldTest.Kind.FIXTURE, test, step, suiteName);
        Test inner = test.getTest();
        int perRound = inner.countTestCases();
        int rounds = perRound == 0 ? 0 : test.countTestCases() / perRound;
        for (int round = 1; round <= rounds; round++) {
            OldTest child =
                    new OldTest(OldTest.Kind.ROUND, null, Integer.toString(round), suiteName);
            child.children.add(node(inner, nameOf(inner), suiteName));
            node.children.add(child);
        }
        return node;
    }

    private static OldTest plainClass(PlainClassSuite suite, String step, String suiteName) {
        OldTest node = new OldTest(OldTest.Kind.PLAIN_SUITE, suite, step, suiteName);
        for (PlainClassTest test : suite.tests()) {
            node.children.add(new OldTest(OldTest.Kind.LEAF, test, test.getName(), suiteName));
        }
        return node;
    }

    /** Whether a suite does more than to run one test after the other. */
    private static boolean hasOwnRun(Class<?> suiteClass) {
        for (Class<?> type = suiteClass; type != TestSuite.class; type = type.getSuperclass()) {
            if (type == ActiveTestSuite.class) {
                return false; // its threads would make any order but the build's own impossible
            }
            if (declares(type, "run", TestResult.class)
                    || declares(type, "runTest", Test.class, TestResult.class)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
        try {
            type.getDeclaredMethod(method, parameters);
            return true;
        } catch (NoSuchMethodException inherited) {
            return false;
        }
    }

    private static boolean isAdapter(Test test) {
        for (Class<?> type = test.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(ADAPTER)) {
                return true;
            }
        }
        return false;
    }

    private static String nameOf(Test test) {
        String type = test.getClass().getName();
        if (test instanceof TestCase) {
            return ((TestCase) test).getName() + "(" + type + ")";
        }
        if (test instanceof TestSuite) {
            return String.valueOf(((TestSuite) test).getName());
        }
        return isAdapter(test) ? AdaptedClass.of(test).getName() : type;
    }
}
