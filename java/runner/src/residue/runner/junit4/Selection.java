package residue.runner.junit4;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import residue.runner.Item;

/** Which nodes of a runner's tree a group wants, and in which order. */
final class Selection {
    final TestNode root;
    /** Tests of the group that the runner does not have. */
    final List<Item> missing = new ArrayList<Item>();
    /**
     * The nodes that JUnit asks about, in its order: all children of wanted containers. More than
     * one for a description are twins, such as parameter sets that were given the same name.
     */
    private final Map<Object, List<TestNode>> asked = new HashMap<Object, List<TestNode>>();
    private int nextRank;
    private boolean complete = true;
    private boolean inNaturalOrder = true;
    private boolean hasTwins;

    Selection(TestNode root, Wanted group) {
        this.root = root;
        mark(root, group);
        compareWithNature(root);
    }

    /** Whether the runner, left alone, runs just these tests. */
    boolean isComplete() {
        return complete;
    }

    /** Whether the runner's own order is the wanted one. */
    boolean isInNaturalOrder() {
        return inNaturalOrder;
    }

    /** Whether there are nodes that JUnit cannot tell apart by their descriptions. */
    boolean hasTwins() {
        return hasTwins;
    }

    /** The nodes of this description in JUnit's order; null if none of them can be wanted. */
    List<TestNode> nodesOf(Description description) {
        return Keys.find(asked, description);
    }

    private void mark(TestNode node, Wanted want) {
        node.rank = nextRank++;
        node.item = want.item;
        if (want.children.isEmpty()) {
            return;
        }
        Map<String, TestNode> byStep = new HashMap<String, TestNode>();
        for (TestNode child : node.children) {
            byStep.put(child.step, child);
        }
        for (Map.Entry<String, Wanted> entry : want.children.entrySet()) {
            TestNode child = byStep.get(entry.getKey());
            if (child == null) {
                missing.addAll(entry.getValue().items());
            } else {
                mark(child, entry.getValue());
            }
        }
    }

    private void compareWithNature(TestNode node) {
        note(node);
        if (node.rank == TestNode.UNWANTED) {
            complete = false;
            return;
        }
        if (node.item != null) {
            return;
        }
        int previous = TestNode.UNWANTED;
        for (TestNode child : node.children) {
            if (child.rank != TestNode.UNWANTED) {
                inNaturalOrder &= child.rank > previous;
                previous = child.rank;
            }
            compareWithNature(child);
        }
    }

    private void note(TestNode node) {
        List<TestNode> twins = asked.get(Keys.of(node.description));
        if (twins == null) {
            twins = new ArrayList<TestNode>(1);
            asked.put(Keys.of(node.description), twins);
        } else {
            hasTwins = true;
        }
        twins.add(node);
        if (node.nameAsTest() != null) {
            asked.put(node.nameAsTest(), twins);
        }
    }
}
