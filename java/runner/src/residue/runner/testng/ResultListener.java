package residue.runner.testng;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testng.IConfigurationListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import residue.runner.Item;
import residue.runner.Progress;
import residue.runner.Boundaries;

/**
 * Tells the outcome of each test of the rounds. The invocations of a method come in the order in
 * which its targets stand, so counting tells which is which.
 *
 * <p>A failed fixture makes TestNG skip tests. They are reported as skipped, as in Surefire's
 * reports, and the failure of the fixture beside them.
 */
final class ResultListener implements ITestListener, IConfigurationListener {
    private final Map<String, Round> roundsByTest;
    private final Progress progress;
    private final Map<MethodKey, Track> tracks = new HashMap<MethodKey, Track>();
    private Round round;
    private ContextMethods methods;

    ResultListener(Map<String, Round> roundsByTest, Progress progress) {
        this.roundsByTest = roundsByTest;
        this.progress = progress;
    }

    @Override
    public void onStart(ITestContext context) {
        round = roundsByTest.get(context.getCurrentXmlTest().getName());
        methods = new ContextMethods(context);
        tracks.clear();
        if (round != null) {
            for (Map.Entry<MethodKey, List<Target>> method : round.methods().entrySet()) {
                tracks.put(method.getKey(), new Track(method.getValue()));
                ITestNGMethod found = methods.all().get(method.getKey());
                if (found != null) {
                    narrow(found, method.getValue());
                }
            }
        }
    }

    @Override
    public void onFinish(ITestContext context) {
        for (Track track : tracks.values()) {
            track.endRest();
        }
    }

    @Override
    public void onTestStart(ITestResult result) {
        Track track = track(result);
        if (track != null) {
            Boundaries.shared(result.getInstance());
            track.start();
        }
    }

    @Override
    public void onTestSuccess(ITestResult result) {
        end(result, End.PASSED);
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
        end(result, End.PASSED);
    }

    @Override
    public void onTestFailure(ITestResult result) {
        end(result, End.THREW);
    }

    @Override
    public void onTestSkipped(ITestResult result) {
        Track track = track(result);
        if (track == null || !track.isOpen() || !Versions.willBeRetried(result)) {
            end(result, End.SKIPPED);
        }
    }

    /** Called by TestNG 7 and later. */
    public void beforeConfiguration(ITestResult result) {
        if (result.getMethod().isBeforeMethodConfiguration()) {
            Boundaries.setUpBegins();
        }
    }

    @Override
    public void onConfigurationSuccess(ITestResult result) {}

    @Override
    public void onConfigurationSkip(ITestResult result) {}

    @Override
    public void onConfigurationFailure(ITestResult result) {
        ITestNGMethod fixture = result.getMethod();
        String className = fixture.getTestClass().getName();
        if (isBefore(fixture)) {
            progress.beforeClassFailed(
                    className, thrown(result), Collections.<Item>emptyList());
        } else {
            progress.afterClassFailed(className, thrown(result));
        }
    }

    private static boolean isBefore(ITestNGMethod fixture) {
        return fixture.isBeforeSuiteConfiguration()
                || fixture.isBeforeTestConfiguration()
                || fixture.isBeforeClassConfiguration()
                || fixture.isBeforeGroupsConfiguration()
                || fixture.isBeforeMethodConfiguration();
    }

    /** Lets TestNG make only the wanted invocations, and those one after the other. */
    private static void narrow(ITestNGMethod method, List<Target> invocations) {
        method.setThreadPoolSize(0);
        Locator first = invocations.get(0).locator;
        if (invocations.size() == first.invocations) {
            return;
        }
        if (first.repeat == Locator.Repeat.COUNT) {
            method.setInvocationCount(invocations.size());
        } else if (first.repeat == Locator.Repeat.ROWS) {
            List<Integer> rows = new ArrayList<Integer>(invocations.size());
            for (Target target : invocations) {
                rows.add(target.locator.invocation);
            }
            method.setInvocationNumbers(rows);
        }
    }

    private void end(ITestResult result, End end) {
        Track track = track(result);
        boolean known = track != null && track.end(end, thrown(result));
        if (!known) {
            Throwable thrown = end == End.THREW ? thrown(result) : null;
            progress.unrequested(methods.name(methods.key(result.getMethod())), thrown);
        }
    }

    private Track track(ITestResult result) {
        return methods == null ? null : tracks.get(methods.key(result.getMethod()));
    }

    private static Throwable thrown(ITestResult result) {
        Throwable thrown = result.getThrowable();
        return thrown != null
                ? thrown
                : new AssertionError("TestNG reported no throwable for this result");
    }

    private enum End {
        PASSED,
        THREW,
        SKIPPED
    }

    /** The invocations of one method on one instance. */
    private final class Track {
        private final List<Target> targets;
        private int next;
        private Target open;
        private boolean surplusIsOpen;
        private End endOfRest;
        private Throwable causeOfRest;

        Track(List<Target> targets) {
            this.targets = targets;
        }

        boolean isOpen() {
            return open != null;
        }

        void start() {
            if (open != null) {
                return;
            }
            surplusIsOpen = next == targets.size();
            if (!surplusIsOpen) {
                open = targets.get(next++);
                open.begun = true;
                progress.begin(open.item);
            }
        }

        /** Returns false if nobody asked for this invocation. */
        boolean end(End end, Throwable thrown) {
            if (open == null && !surplusIsOpen && next < targets.size()) {
                // TestNG gave up before the start: because of this invocation, or of all of them.
                endOfRest = end;
                causeOfRest = thrown;
                open = targets.get(next++);
            }
            if (open == null) {
                surplusIsOpen = false;
                return false;
            }
            finish(open, end, thrown);
            open = null;
            return true;
        }

        void endRest() {
            while (endOfRest != null && next < targets.size()) {
                finish(targets.get(next++), endOfRest, causeOfRest);
            }
        }

        private void finish(Target target, End end, Throwable thrown) {
            target.ended = true;
            if (end == End.PASSED) {
                progress.passed(target.item);
            } else if (end == End.THREW) {
                if (!target.begun) {
                    target.begun = true;
                    progress.begin(target.item);
                }
                progress.threw(target.item, thrown);
            } else {
                String message = thrown.getMessage();
                progress.skipped(target.item, message == null ? thrown.toString() : message);
            }
        }
    }
}
