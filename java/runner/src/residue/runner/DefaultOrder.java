package residue.runner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import residue.runner.wire.EventWriter;

/** Lists the tests of all frameworks in the order in which the build would run them. */
final class DefaultOrder {
    private final Adapters adapters;
    private final EventWriter events;
    private final Set<String> listedIds = new HashSet<String>();
    private final Set<String> unlistableClasses = new HashSet<String>();

    DefaultOrder(Adapters adapters, EventWriter events) {
        this.adapters = adapters;
        this.events = events;
    }

    void listSuiteFiles(List<String> files) {
        Adapter testNg = adapters.of(Framework.TESTNG);
        if (!(testNg instanceof SuiteFiles)) {
            throw new IllegalStateException(
                    "the build selects its tests with TestNG suite files, but TestNG is not on the class path");
        }
        ((SuiteFiles) testNg).listSuites(files, listingOf(Framework.TESTNG));
    }

    void listClasses(List<String> names, ClassLoader loader) {
        List<Class<?>> candidates = load(names, loader);
        listAll(Framework.TESTNG, candidates);
        if (adapters.vintageComesFirst()) {
            listOldJUnit(candidates);
            listAll(Framework.PLATFORM, candidates);
        } else {
            listAll(Framework.PLATFORM, candidates);
            listOldJUnit(candidates);
        }
    }

    private List<Class<?>> load(List<String> names, ClassLoader loader) {
        List<Class<?>> classes = new ArrayList<Class<?>>(names.size());
        for (String name : names) {
            try {
                classes.add(Class.forName(name, false, loader));
            } catch (Throwable unloadable) {
                unlistable(name, unloadable);
            }
        }
        return classes;
    }

    private void listAll(Framework framework, List<Class<?>> candidates) {
        Adapter adapter = adapters.of(framework);
        if (adapter != null) {
            adapter.list(candidates, listingOf(framework));
        }
    }

    /** JUnit 3 and 4 classes take turns as the build names them. */
    private void listOldJUnit(List<Class<?>> candidates) {
        for (Class<?> candidate : candidates) {
            List<Class<?>> one = Collections.<Class<?>>singletonList(candidate);
            listAll(Framework.JUNIT3, one);
            listAll(Framework.JUNIT4, one);
        }
    }

    private Listing listingOf(final Framework framework) {
        return new Listing() {
            @Override
            public void test(String id, String locator) {
                // A class that is selected by itself and as part of a suite yields its tests twice.
                if (listedIds.add(id)) {
                    events.listed(framework, id, locator);
                }
            }

            @Override
            public void unlistable(String className, Throwable reason) {
                DefaultOrder.this.unlistable(className, reason);
            }
        };
    }

    /** A broken class troubles every adapter; one report is enough. */
    private void unlistable(String className, Throwable reason) {
        if (unlistableClasses.add(className)) {
            events.unlistable(className, reason);
        }
    }
}
