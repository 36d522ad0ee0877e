package residue.runner.junit4;

import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;
import residue.runner.Item;
import residue.runner.StepNames;
import residue.runner.TestIds;

/** A test or a container of tests, as a runner describes it, with a name that is stable. */
final class TestNode {
    final Description description;
    final String displayName;
    /** Distinguishes this node from its siblings, the same in every JVM. */
    final String step;
    /** Class that the ids of this node's tests bear. */
    final String className;
    /** Method and invocation of a test, for its id. */
    final String testName;
    final List<TestNode> children = new ArrayList<TestNode>();

    /** The test of the order that this node is. A container is one if it cannot be split. */
    Item item;
    /** StatePath among all nodes in the order that is asked for, or {@link #UNWANTED}. */
    int rank = UNWANTED;

    static final int UNWANTED = -1;

    private TestNode(Description description, String step, String className, String testName) {
        this.description = description;
        this.displayName = description.getDisplayName();
        this.step = step;
        this.className = className;
        this.testName = testName;
    }

    static TestNode root(Description description, String className) {
        TestNode root = new TestNode(description, "", className, null);
        root.addChildren("");
        return root;
    }

    /**
     * How JUnit may call this node when it filters and sorts: runners of third parties describe a
     * method with several invocations as a container here and as a test there. Null if there is no
     * such name.
     */
    String nameAsTest() {
        return isTest() || testName == null ? null : testName + "(" + className + ")";
    }

    boolean isTest() {
        return children.isEmpty();
    }

    private void addChildren(String parameterSets) {
        StepNames steps = new StepNames();
        int position = 0;
        for (Description child : description.getChildren()) {
            children.add(child(child, position++, parameterSets, steps));
        }
    }

    private TestNode child(Description child, int position, String parameterSets, StepNames steps) {
        String name = child.getDisplayName();
        if (!child.getChildren().isEmpty() && TestNames.isParameterSet(name)) {
            String index = TestIds.index(position);
            TestNode node = new TestNode(child, steps.unique(index), className, index);
            node.addChildren(parameterSets + index);
            return node;
        }
        String method = TestNames.methodOf(name);
        if (method == null || !child.getChildren().isEmpty()) {
            return container(child, name, parameterSets, steps);
        }
        String owner = TestNames.classOf(name);
        String test = TestNames.withoutParameterSet(method, displayName);
        String invoked = TestNames.invokedMethod(test, owner);
        if (invoked != null) {
            int number = TestNames.numberAfter(invoked, test);
            test = invoked + TestIds.index(number >= 0 ? number : countInvocations(invoked));
        }
        return new TestNode(child, steps.unique(test), owner, test + parameterSets);
    }

    private int countInvocations(String method) {
        int count = 0;
        for (TestNode earlier : children) {
            if (earlier.testName != null && earlier.testName.startsWith(method + "[")) {
                count++;
            }
        }
        return count;
    }

    /** A class, a suite, a method with invocations of its own, or a class that is ignored. */
    private TestNode container(Description child, String name, String sets, StepNames steps) {
        boolean isClass = name.indexOf(' ') < 0 && firstTestIsOf(child, name);
        TestNode node =
                new TestNode(child, steps.unique(name), isClass ? name : className, isClass ? null : name);
        node.addChildren(sets);
        return node;
    }

    private static boolean firstTestIsOf(Description container, String className) {
        if (container.getChildren().isEmpty()) {
            return true;
        }
        Description first = container.getChildren().get(0);
        String name = first.getDisplayName();
        String owner = TestNames.classOf(name);
        if (owner != null && first.getChildren().isEmpty()) {
            return owner.equals(className) || name.startsWith("initializationError");
        }
        return true;
    }
}
