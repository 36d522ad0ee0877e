package residue.runner.junit4;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runners.ParentRunner;

/**
 * Checks in which order the runners of a tree hold their children, and gives each runner that has
 * them in the wrong one a {@link ScheduledOrder}. Works as a filter that lets everything pass, the
 * only way that JUnit has to see the children and the runners among them. For JUnit 4.9 and later.
 */
final class Scheduling extends Filter {
    private final Set<TestNode> visited = new HashSet<TestNode>();
    private Level current;
    private final Set<TestNode> stubborn = new HashSet<TestNode>();

    /** The children of one runner, as it is asked about them. */
    private static final class Level {
        final TestNode container;
        final List<Integer> ranks = new ArrayList<Integer>();
        final Set<TestNode> taken = new HashSet<TestNode>();
        TestNode latest;

        Level(TestNode container) {
            this.container = container;
        }
    }

    private Scheduling() {}

    /** Returns the containers that will not run in the order of the selection. */
    static Set<TestNode> impose(Selection selection, Runner root) throws NoTestsRemainException {
        Scheduling scheduling = new Scheduling();
        scheduling.visit(root, selection.root);
        scheduling.checkRest(selection.root);
        return scheduling.stubborn;
    }

    private void visit(Runner runner, TestNode node) throws NoTestsRemainException {
        if (node.item != null || !(runner instanceof Filterable)) {
            return;
        }
        Level outer = current;
        current = new Level(node);
        ((Filterable) runner).filter(this);
        if (!current.ranks.isEmpty()) {
            visited.add(node);
        }
        if (!isAscending(current.ranks)) {
            schedule(runner);
        }
        current = outer;
    }

    private void schedule(Runner runner) {
        if (runner instanceof ParentRunner) {
            ((ParentRunner<?>) runner).setScheduler(new ScheduledOrder(current.ranks));
        } else {
            stubborn.add(current.container);
        }
    }

    @Override
    public boolean shouldRun(Description description) {
        TestNode child = wantedChild(description);
        current.latest = child;
        if (child == null) {
            stubborn.add(current.container);
        } else {
            current.ranks.add(child.rank);
        }
        return true;
    }

    @Override
    public void apply(Object child) throws NoTestsRemainException {
        if (child instanceof Runner && current.latest != null) {
            visit((Runner) child, current.latest);
        }
    }

    private TestNode wantedChild(Description description) {
        Object key = Keys.of(description);
        TestNode found = null;
        for (TestNode child : current.container.children) {
            if (child.rank != TestNode.UNWANTED && isOrHolds(child, key, description)) {
                found = child;
                // Twins are taken in turn.
                if (current.taken.add(child)) {
                    return child;
                }
            }
        }
        return found;
    }

    /** A container that cannot be split may show up as each of its tests. */
    private static boolean isOrHolds(TestNode node, Object key, Description description) {
        if (Keys.of(node.description).equals(key)
                || description.getDisplayName().equals(node.nameAsTest())) {
            return true;
        }
        if (node.item != null) {
            for (TestNode child : node.children) {
                if (isOrHolds(child, key, description)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAscending(List<Integer> ranks) {
        for (int i = 1; i < ranks.size(); i++) {
            if (ranks.get(i) < ranks.get(i - 1)) {
                return false;
            }
        }
        return true;
    }

    /** Containers that were not seen run in their own order, which is the one of the tree. */
    private void checkRest(TestNode node) {
        if (node.item != null) {
            return;
        }
        List<Integer> ranks = new ArrayList<Integer>();
        for (TestNode child : node.children) {
            if (child.rank != TestNode.UNWANTED) {
                ranks.add(child.rank);
                checkRest(child);
            }
        }
        if (!visited.contains(node) && !isAscending(ranks)) {
            stubborn.add(node);
        }
    }

    @Override
    public String describe() {
        return "everything";
    }
}
