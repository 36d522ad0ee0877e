package residue.runner.platform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Learns which tests containers make when they run. */
final class MadeTests {
    private final Names discovered;
    private final Map<String, List<Made>> tests = new HashMap<String, List<Made>>();
    private final Set<String> succeeded = new HashSet<String>();

    MadeTests(Names discovered) {
        this.discovered = discovered;
    }

    /** A test as its container made it. */
    static final class Made {
        final String name;
        final String uniqueId;

        Made(String name, String uniqueId) {
            this.name = name;
            this.uniqueId = uniqueId;
        }
    }

    /** Runs containers; one that cannot be discovered any more makes nothing. */
    void run(Session session, Batch batch) {
        Recorder recorder = new Recorder();
        Throwable failure = session.execute(batch, recorder);
        if (recorder.plan == null) {
            if (failure != null && batch.byClass().size() > 1) {
                for (Batch single : batch.byClass()) {
                    run(session, single);
                }
            }
            return;
        }
        Names names = discovered.forPart(recorder.plan);
        Set<String> makers = new HashSet<String>();
        for (Target target : batch.targets()) {
            makers.add(target.locator.uniqueId);
        }
        for (TestIdentifier root : recorder.plan.getRoots()) {
            find(recorder.plan, root, names, makers);
        }
    }

    /** The tests that this container made, in order. */
    List<Made> by(String maker) {
        List<Made> made = tests.get(maker);
        return made == null ? Collections.<Made>emptyList() : made;
    }

    boolean succeeded(String maker) {
        return succeeded.contains(maker);
    }

    private void find(TestPlan plan, TestIdentifier node, Names names, Set<String> makers) {
        if (makers.contains(node.getUniqueId())) {
            List<Made> made = new ArrayList<Made>();
            for (TestIdentifier child : plan.getChildren(node)) {
                collect(plan, child, names, made);
            }
            tests.put(node.getUniqueId(), made);
            return;
        }
        for (TestIdentifier child : plan.getChildren(node)) {
            find(plan, child, names, makers);
        }
    }

    /** An inner container that made nothing counts as a test if it did not succeed. */
    private void collect(TestPlan plan, TestIdentifier node, Names names, List<Made> made) {
        boolean isLeaf = plan.getChildren(node).isEmpty();
        if (isLeaf && (node.isTest() || !succeeded(node.getUniqueId()))) {
            made.add(new Made(names.name(node), node.getUniqueId()));
        }
        for (TestIdentifier child : plan.getChildren(node)) {
            collect(plan, child, names, made);
        }
    }

    private final class Recorder implements TestExecutionListener {
        TestPlan plan;

        @Override
        public void testPlanExecutionStarted(TestPlan testPlan) {
            plan = testPlan;
        }

        @Override
        public void executionFinished(TestIdentifier node, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                succeeded.add(node.getUniqueId());
            }
        }
    }
}
