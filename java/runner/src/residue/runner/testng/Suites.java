package residue.runner.testng;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testng.annotations.Test;
import org.testng.annotations.Factory;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlMethodSelector;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** Builds TestNG suites: for a selection of classes as Surefire does, or from suite files. */
final class Suites {
    /** Surefire's names; tests may see them. */
    private static final String SUITE_NAME = "Surefire suite";
    private static final String TEST_NAME = "Surefire test";
    /** TestNG's own selector has 10; the last selector decides unless an earlier one stops. */
    private static final int BEFORE_TESTNG = 1;
    private static final int AFTER_TESTNG = 9999;

    private final boolean hasGroups;

    /** @param hasGroups whether {@link GroupSelector} has something to select by */
    Suites(boolean hasGroups) {
        this.hasGroups = hasGroups;
    }

    /** The suites that Surefire would run for these classes. */
    List<XmlSuite> ofClasses(List<Class<?>> classes) {
        Map<String, XmlSuite> suites = new LinkedHashMap<String, XmlSuite>();
        Map<Origin, XmlTest> tests = new LinkedHashMap<Origin, XmlTest>();
        for (Class<?> candidate : classes) {
            Origin origin = originOf(candidate);
            XmlSuite suite = suites.get(origin.suite);
            if (suite == null) {
                suite = newSuite(origin.suite);
                suites.put(origin.suite, suite);
            }
            XmlTest test = tests.get(origin);
            if (test == null) {
                test = newTest(suite, origin.test);
                tests.put(origin, test);
            }
            addClass(test, candidate.getName());
        }
        return new ArrayList<XmlSuite>(suites.values());
    }

    /** The suites of a file and of the files that it includes, in the order in which they run. */
    List<XmlSuite> ofFile(String file) {
        try {
            List<XmlSuite> suites = new ArrayList<XmlSuite>();
            for (XmlSuite suite : Versions.parse(file)) {
                flatten(suite, suites);
            }
            return suites;
        } catch (ReflectiveOperationException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            throw new IllegalArgumentException(
                    "TestNG cannot read the suite file " + file + ": " + cause, cause);
        }
    }

    /** Included suites run first. Some versions would look for their files again, and elsewhere. */
    private void flatten(XmlSuite suite, List<XmlSuite> into) {
        for (XmlSuite child : suite.getChildSuites()) {
            flatten(child, into);
        }
        suite.getChildSuites().clear();
        suite.setSuiteFiles(new ArrayList<String>());
        prepare(suite);
        into.add(suite);
    }

    /**
     * A suite with one TestNG test for each round; the rounds are of one suite.
     *
     * @param natural whether TestNG is to run the methods in its own order
     */
    List<XmlSuite> ofRounds(Map<String, Round> roundsByTest, boolean natural) {
        Origin origin = roundsByTest.values().iterator().next().origin;
        XmlSuite suite = origin.file.isEmpty() ? newSuite(origin.suite) : named(origin);
        List<XmlTest> fromFile = new ArrayList<XmlTest>(suite.getTests());
        suite.setTests(new ArrayList<XmlTest>());
        for (Map.Entry<String, Round> round : roundsByTest.entrySet()) {
            XmlTest test = testFor(round.getValue(), suite, fromFile);
            test.setName(round.getKey());
            List<XmlMethodSelector> selectors = new ArrayList<XmlMethodSelector>();
            selectors.add(selector(WantedSelector.class, BEFORE_TESTNG));
            selectors.addAll(test.getMethodSelectors());
            test.setMethodSelectors(selectors);
            if (!natural) {
                test.setGroupByInstances(false);
                Versions.mixClasses(test);
            }
        }
        List<XmlSuite> suites = new ArrayList<XmlSuite>();
        suites.add(suite);
        return suites;
    }

    private XmlSuite named(Origin origin) {
        for (XmlSuite suite : ofFile(origin.file)) {
            if (origin.suite.equals(suite.getName())) {
                return suite;
            }
        }
        throw new IllegalArgumentException(
                "the suite file " + origin.file + " has no suite `" + origin.suite
                        + "` any more; list the tests again");
    }

    private XmlTest testFor(Round round, XmlSuite suite, List<XmlTest> fromFile) {
        if (!round.origin.file.isEmpty()) {
            XmlTest test = take(round.origin, fromFile);
            test.setXmlSuite(suite);
            Versions.setIndex(test, suite.getTests().size());
            suite.getTests().add(test);
            return test;
        }
        XmlTest test = newTest(suite, round.origin.test);
        for (SelectedClass selected : round.selectedClasses()) {
            addClass(test, selected.name);
        }
        return test;
    }

    /** Takes a test that no round has yet. To clone one loses its classes in most versions. */
    private XmlTest take(Origin origin, List<XmlTest> unused) {
        for (int attempt = 0; attempt < 2; attempt++) {
            for (XmlTest test : unused) {
                if (origin.test.equals(test.getName())) {
                    unused.remove(test);
                    return test;
                }
            }
            unused.addAll(named(origin).getTests());
        }
        throw new IllegalArgumentException(
                "the suite file " + origin.file + " has no test `" + origin.test
                        + "` any more; list the tests again");
    }

    private void prepare(XmlSuite suite) {
        Versions.runSequentially(suite);
        suite.setDataProviderThreadCount(1);
        for (XmlTest test : suite.getTests()) {
            Versions.runSequentially(test);
            addGroups(test);
        }
    }

    private static XmlSuite newSuite(String name) {
        XmlSuite suite = new XmlSuite();
        suite.setName(name);
        suite.setDataProviderThreadCount(1);
        return suite;
    }

    private XmlTest newTest(XmlSuite suite, String name) {
        XmlTest test = new XmlTest(suite);
        test.setName(name);
        test.setXmlClasses(new ArrayList<XmlClass>());
        addGroups(test);
        return test;
    }

    private void addGroups(XmlTest test) {
        if (hasGroups) {
            test.getMethodSelectors().add(selector(GroupSelector.class, AFTER_TESTNG));
        }
    }

    private static void addClass(XmlTest test, String name) {
        XmlClass selected = new XmlClass(name);
        selected.setIndex(test.getXmlClasses().size());
        test.getXmlClasses().add(selected);
    }

    private static XmlMethodSelector selector(Class<?> type, int priority) {
        XmlMethodSelector selector = new XmlMethodSelector();
        selector.setName(type.getName());
        selector.setPriority(priority);
        return selector;
    }

    private static Origin originOf(Class<?> candidate) {
        for (Class<?> type = candidate; type != null; type = type.getSuperclass()) {
            Test test = type.getAnnotation(Test.class);
            if (test != null) {
                return new Origin(
                        "", orElse(test.suiteName(), SUITE_NAME), orElse(test.testName(), TEST_NAME));
            }
        }
        return new Origin("", SUITE_NAME, TEST_NAME);
    }

    private static String orElse(String text, String otherwise) {
        return text.trim().isEmpty() ? otherwise : text;
    }

    /** Whether a class makes instances of test classes, of itself or of others. */
    static boolean hasFactory(Class<?> candidate) {
        for (Constructor<?> constructor : candidate.getDeclaredConstructors()) {
            if (constructor.isAnnotationPresent(Factory.class)) {
                return true;
            }
        }
        for (Class<?> type = candidate; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Factory.class)) {
                    return true;
                }
            }
        }
        return false;
    }
}
