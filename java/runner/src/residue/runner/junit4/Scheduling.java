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
 * Gives each runner of a tree whose children stand in the wrong order a {@link ScheduledOrder}.
 * Reaches the runners below the root as a filter, the only way
 * that JUnit has. For JUnit 4.9 and later.
 */
final class Scheduling extends Filter {
    private final Selection selection;
    /** Nodes that were paired with what JUnit has for them. */
    private final Set<TestNode> paired = new HashSet<TestNode>();
    private TestNode current;
    private boolean possible = true;

    private Scheduling(Selection selection) {
        this.selection = selection;
    }

    /** Returns whether the tests will now run in the order of the selection. */
    static boolean impose(Selection selection, Runner root) throws NoTestsRemainException {
        Scheduling scheduling = new Scheduling(selection);
        scheduling.visit(root, selection.root);
        return scheduling.possible && scheduling.restIsInOrder(selection.root);
    }

    private void visit(Runner runner, TestNode node) throws NoTestsRemainException {
        TestNode outer = current;
        current = node;
        paired.add(node);
        if (node.item == null) {
            order(runner, node);
            if (runner instanceof Filterable) {
                ((Filterable) runner).filter(this);
            }
        }
        current = outer;
    }

    private void order(Runner runner, TestNode node) {
        List<Integer> ranks = new ArrayList<Integer>();
        Set<TestNode> taken = new HashSet<TestNode>();
        boolean ascending = true;
        int previous = TestNode.UNWANTED;
        for (Description child : runner.getDescription().getChildren()) {
            TestNode wanted = wantedChild(node, child, taken);
            if (wanted == null) {
                possible = false;
                return;
            }
            ascending &= wanted.rank > previous;
            previous = wanted.rank;
            ranks.add(wanted.rank);
        }
        if (!ascending) {
            schedule(runner, ranks);
        }
    }

    private void schedule(Runner runner, List<Integer> ranks) {
        if (runner instanceof ParentRunner) {
            ((ParentRunner<?>) runner).setScheduler(new ScheduledOrder(ranks));
        } else {
            possible = false;
        }
    }

    /** Twins are taken in turn, since they stand in the runner's own order. */
    private static TestNode wantedChild(TestNode node, Description child, Set<TestNode> taken) {
        Object key = Keys.of(child);
        for (TestNode each : node.children) {
            boolean wanted = each.rank != TestNode.UNWANTED;
            if (wanted && Keys.of(each.description).equals(key) && taken.add(each)) {
                return each;
            }
        }
        return null;
    }

    private boolean restIsInOrder(TestNode node) {
        int previous = TestNode.UNWANTED;
        for (TestNode child : node.children) {
            if (child.rank != TestNode.UNWANTED && node.item == null) {
                boolean outOfOrder = child.rank < previous && !paired.contains(node);
                if (outOfOrder || !restIsInOrder(child)) {
                    return false;
                }
                previous = child.rank;
            }
        }
        return true;
    }

    @Override
    public boolean shouldRun(Description description) {
        for (TestNode node : selection.nodesOf(description)) {
            if (node.rank != TestNode.UNWANTED) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void apply(Object child) throws NoTestsRemainException {
        if (child instanceof Runner) {
            Runner runner = (Runner) child;
            TestNode node = wantedChild(current, runner.getDescription(), paired);
            if (node == null) {
                possible = false;
            } else {
                visit(runner, node);
            }
        }
    }

    @Override
    public String describe() {
        return "the tests of an order";
    }
}
