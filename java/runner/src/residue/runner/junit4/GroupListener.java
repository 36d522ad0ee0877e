package residue.runner.junit4;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import residue.runner.Item;
import residue.runner.Progress;
import residue.runner.TestIds;

/** Translates what a runner says about the tests of one group. */
final class GroupListener extends RunListener {
    private static final Comparator<TestNode> BY_RANK =
            new Comparator<TestNode>() {
                @Override
                public int compare(TestNode left, TestNode right) {
                    return Integer.compare(left.rank, right.rank);
                }
            };

    private final Progress progress;
    private final String rootClass;
    /** Those with equal descriptions stand in the order in which they run. */
    private final Map<Object, List<RunningTest>> tests =
            new HashMap<Object, List<RunningTest>>();
    private final Map<Object, List<RunningTest>> containers =
            new HashMap<Object, List<RunningTest>>();
    private final List<RunningTest> all;
    private final Map<Object, Throwable> unrequested = new HashMap<Object, Throwable>();
    private RunningTest openContainer;

    GroupListener(Selection selection, String rootClass, Progress progress) {
        this.progress = progress;
        this.rootClass = rootClass;
        this.all = register(selection.root);
    }

    @Override
    public synchronized void testStarted(Description description) {
        RunningTest test = testOf(description);
        if (test == null) {
            unrequested.put(Keys.of(description), null);
        } else {
            test.started();
        }
    }

    @Override
    public synchronized void testFailure(Failure failure) {
        Description description = failure.getDescription();
        Throwable thrown = failure.getException();
        RunningTest test = testOf(description);
        if (test != null) {
            test.threw(thrown);
        } else if (containers.containsKey(Keys.of(description))) {
            fixtureThrew(classNameOf(description), containers.get(Keys.of(description)), thrown);
        } else if (unrequested.containsKey(Keys.of(description))) {
            unrequested.put(Keys.of(description), thrown);
        } else if (TestNames.methodOf(description.getDisplayName()) != null) {
            progress.unrequested(idOf(description), thrown);
        } else {
            fixtureThrew(rootClass, all, thrown);
        }
    }

    @Override
    public synchronized void testAssumptionFailure(Failure failure) {
        String reason = messageOf(failure.getException());
        Description description = failure.getDescription();
        RunningTest test = testOf(description);
        if (test != null) {
            test.assumptionFailed(reason);
        } else if (containers.containsKey(Keys.of(description))) {
            skipAll(containers.get(Keys.of(description)), reason);
        }
    }

    @Override
    public synchronized void testIgnored(Description description) {
        Ignore ignore = description.getAnnotation(Ignore.class);
        String reason = ignore == null || ignore.value().isEmpty() ? null : ignore.value();
        RunningTest test = testOf(description);
        if (test != null) {
            test.ignored(reason);
        } else if (containers.containsKey(Keys.of(description))) {
            skipAll(containers.get(Keys.of(description)), reason);
        }
    }

    @Override
    public synchronized void testFinished(Description description) {
        RunningTest test = testOf(description);
        if (test != null) {
            test.finished();
        } else if (unrequested.containsKey(Keys.of(description))) {
            progress.unrequested(idOf(description), unrequested.remove(Keys.of(description)));
        }
    }

    /** The runner has returned. */
    synchronized void runEnded() {
        for (RunningTest test : all) {
            test.end();
        }
    }

    /** The runner itself threw, which JUnit's own runners never do. */
    synchronized void runThrew(Throwable thrown) {
        fixtureThrew(rootClass, all, thrown);
        for (RunningTest test : all) {
            if (!test.hasEnded()) {
                test.threw(thrown);
            }
        }
        runEnded();
    }

    private void fixtureThrew(String className, List<RunningTest> within, Throwable thrown) {
        List<Item> kept = new ArrayList<Item>();
        boolean anyBegun = false;
        for (RunningTest test : within) {
            anyBegun |= test.hasBegun();
            if (!test.hasEnded()) {
                kept.add(test.item);
            }
        }
        if (anyBegun || kept.isEmpty()) {
            progress.afterClassFailed(className, thrown);
            return;
        }
        for (RunningTest test : within) {
            test.keptFromRunning();
        }
        progress.beforeClassFailed(className, thrown, kept);
    }

    private static void skipAll(List<RunningTest> tests, String reason) {
        for (RunningTest test : tests) {
            test.ignored(reason);
        }
    }

    /** The test that an event is about, or null. Ends the container that it is not about. */
    private RunningTest testOf(Description description) {
        List<RunningTest> twins = tests.get(Keys.of(description));
        RunningTest found = null;
        if (twins != null) {
            found = twins.get(0);
            for (int i = 1; i < twins.size() && found.hasEnded(); i++) {
                found = twins.get(i);
            }
        }
        if (openContainer != null && found != openContainer) {
            openContainer.end();
            openContainer = null;
        }
        if (found != null && found.isContainer) {
            openContainer = found;
        }
        return found;
    }

    private List<RunningTest> register(TestNode node) {
        List<RunningTest> below = new ArrayList<RunningTest>();
        if (node.item != null) {
            RunningTest test = new RunningTest(node.item, !node.isTest(), progress);
            below.add(test);
            expect(node, test);
            return below;
        }
        List<TestNode> wanted = new ArrayList<TestNode>();
        for (TestNode child : node.children) {
            if (child.rank != TestNode.UNWANTED) {
                wanted.add(child);
            }
        }
        Collections.sort(wanted, BY_RANK);
        for (TestNode child : wanted) {
            below.addAll(register(child));
        }
        add(containers, Keys.of(node.description), below);
        return below;
    }

    private void expect(TestNode node, RunningTest test) {
        add(tests, Keys.of(node.description), Collections.singletonList(test));
        for (TestNode child : node.children) {
            expect(child, test);
        }
    }

    private static void add(
            Map<Object, List<RunningTest>> map, Object key, List<RunningTest> more) {
        List<RunningTest> known = map.get(key);
        if (known == null) {
            known = new ArrayList<RunningTest>(more.size());
            map.put(key, known);
        }
        known.addAll(more);
    }

    private String idOf(Description description) {
        String name = description.getDisplayName();
        String owner = TestNames.classOf(name);
        return owner == null ? TestIds.of(rootClass, name) : TestIds.of(owner, TestNames.methodOf(name));
    }

    private String classNameOf(Description container) {
        String name = container.getDisplayName();
        return name == null || TestNames.isParameterSet(name) ? rootClass : name;
    }

    private static String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable unreadable) {
            return null;
        }
    }
}
