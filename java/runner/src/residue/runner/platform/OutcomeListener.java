package residue.runner.platform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import residue.runner.Item;
import residue.runner.Progress;
import residue.runner.Boundaries;

/** Tells the outcome of each test of a batch from what the launcher reports of tests and containers. */
final class OutcomeListener implements TestExecutionListener {
    private final Map<String, Target> targets = new HashMap<String, Target>();
    private final List<Target> inOrder;
    private final Progress progress;
    private Names names;
    private Throwable engineFailure;
    private int next;

    OutcomeListener(List<Target> inOrder, Progress progress) {
        this.inOrder = inOrder;
        this.progress = progress;
        for (Target target : inOrder) {
            targets.put(target.locator.uniqueId, target);
        }
    }

    /** What an engine reported as its own failure; null if none did. */
    Throwable engineFailure() {
        return engineFailure;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        names = new Names(plan);
    }

    @Override
    public void executionStarted(TestIdentifier node) {
        Target target = targets.get(node.getUniqueId());
        if (target != null && !target.begun && !target.ended) {
            begin(target);
        } else if (target == null && Names.source(node) instanceof ClassSource) {
            classBegins();
        }
    }

    @Override
    public void executionSkipped(TestIdentifier node, String reason) {
        for (Target target : waitingIn(node)) {
            target.ended = true;
            progress.skipped(target.item, reason);
        }
    }

    @Override
    public void executionFinished(TestIdentifier node, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        Target target = targets.get(node.getUniqueId());
        if (target != null && target.begun && !target.ended) {
            end(target, result.getStatus(), thrown);
        } else if (target == null && node.isTest() && !isAbove(node)) {
            boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
            progress.unrequested(names.name(node), failed ? orUnknown(thrown) : null);
        }
        if (target == null && node.isContainer()) {
            containerEnded(node, result.getStatus(), thrown);
        }
    }

    private void containerEnded(
            TestIdentifier node, TestExecutionResult.Status status, Throwable thrown) {
        if (status == TestExecutionResult.Status.SUCCESSFUL) {
            return;
        }
        List<Target> waiting = waitingIn(node);
        if (status == TestExecutionResult.Status.ABORTED) {
            for (Target target : waiting) {
                target.ended = true;
                progress.skipped(target.item, thrown == null ? null : thrown.getMessage());
            }
            return;
        }
        TestSource source = Names.source(node);
        if (source instanceof MethodSource && !waiting.isEmpty()) {
            fail(waiting, orUnknown(thrown));
        } else if (source instanceof ClassSource || source instanceof MethodSource) {
            fixtureFailed(node, waiting, orUnknown(thrown));
        } else {
            engineFailure = orUnknown(thrown);
        }
    }

    private void fixtureFailed(TestIdentifier node, List<Target> waiting, Throwable thrown) {
        String className = names.className(node);
        if (waiting.isEmpty() || hasBegun(node)) {
            progress.afterClassFailed(className, thrown);
            return;
        }
        List<Item> kept = new ArrayList<Item>(waiting.size());
        for (Target target : waiting) {
            target.ended = true;
            kept.add(target.item);
        }
        progress.beforeClassFailed(className, thrown, kept);
    }

    /** Ends tests that something other than a class fixture kept from running. */
    void fail(List<Target> kept, Throwable thrown) {
        for (Target target : kept) {
            begin(target);
            end(target, TestExecutionResult.Status.FAILED, thrown);
        }
    }

    /** Ends tests that the engine never came to. */
    void notRun() {
        for (Target target : inOrder) {
            if (!target.ended) {
                target.ended = true;
                progress.notRun(target.item);
            }
        }
    }

    /** Targets run in order, so the next one is that which a class is entered for. */
    private void classBegins() {
        while (next < inOrder.size() && (inOrder.get(next).begun || inOrder.get(next).ended)) {
            next++;
        }
        if (next < inOrder.size()) {
            Boundaries.classBegins(inOrder.get(next).item);
        }
    }

    private void begin(Target target) {
        target.begun = true;
        progress.begin(target.item);
    }

    private void end(Target target, TestExecutionResult.Status status, Throwable thrown) {
        target.ended = true;
        if (status == TestExecutionResult.Status.SUCCESSFUL) {
            progress.passed(target.item);
        } else if (status == TestExecutionResult.Status.ABORTED) {
            progress.skipped(target.item, thrown == null ? null : thrown.getMessage());
        } else {
            progress.threw(target.item, orUnknown(thrown));
        }
    }

    /** An engine may report a failure without its cause. */
    private static Throwable orUnknown(Throwable thrown) {
        return thrown != null
                ? thrown
                : new AssertionError("the engine reported a failure without a throwable");
    }

    private List<Target> waitingIn(TestIdentifier node) {
        List<Target> waiting = new ArrayList<Target>();
        for (Target target : inOrder) {
            if (!target.begun && !target.ended && isIn(target, node)) {
                waiting.add(target);
            }
        }
        return waiting;
    }

    /** Some engines, Spock for one, count a container of tests as a test too. */
    private boolean isAbove(TestIdentifier node) {
        if (node.isContainer()) {
            for (Target target : inOrder) {
                if (isIn(target, node)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean hasBegun(TestIdentifier node) {
        for (Target target : inOrder) {
            if (target.begun && isIn(target, node)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(Target target, TestIdentifier node) {
        String container = node.getUniqueId();
        return target.locator.uniqueId.equals(container)
                || UniqueIds.isBelow(target.locator.uniqueId, container);
    }
}
