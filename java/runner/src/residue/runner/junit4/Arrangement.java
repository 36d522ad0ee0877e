package residue.runner.junit4;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sortable;
import org.junit.runner.manipulation.Sorter;

/**
 * Makes a runner run a selection and nothing else, in the selection's order. A runner whose own
 * tests and order are the wanted ones is left untouched, so that it behaves as in the build.
 */
final class Arrangement {
    /** Before 4.9 a runner keeps one filter and applies it whenever it needs its children. */
    private static final boolean FILTERS_AT_ONCE = hasFilteredChildren();

    private Arrangement() {}

    private static boolean hasFilteredChildren() {
        try {
            Class<?> parentRunner = Class.forName("org.junit.runners.ParentRunner");
            for (Field field : parentRunner.getDeclaredFields()) {
                if (field.getType() == Filter.class) {
                    return false;
                }
            }
            return true;
        } catch (ClassNotFoundException olderThan45) {
            return false;
        }
    }

    /**
     * Returns the containers that keep their own order against the selection's. The runner is ready
     * if there are none.
     */
    static Set<TestNode> apply(Selection selection, Runner runner) throws NoTestsRemainException {
        if (!selection.isComplete() && runner instanceof Filterable) {
            ((Filterable) runner).filter(new WantedFilter(selection));
        }
        if (selection.isInNaturalOrder()) {
            return Collections.emptySet();
        }
        Map<Object, Integer> ranks = new HashMap<Object, Integer>();
        collectRanks(selection.root, ranks);
        // Twins have one description and more than one rank.
        if (!selection.hasTwins() && runner instanceof Sortable) {
            ((Sortable) runner).sort(new Sorter(byRank(ranks)));
        }
        // 4.13 does not sort a class that has @FixMethodOrder.
        return FILTERS_AT_ONCE
                ? Scheduling.impose(selection, runner)
                : unsorted(selection.root, runner.getDescription(), ranks);
    }

    private static void collectRanks(TestNode node, Map<Object, Integer> ranks) {
        if (node.rank != TestNode.UNWANTED) {
            ranks.put(Keys.of(node.description), node.rank);
            if (node.nameAsTest() != null) {
                ranks.put(node.nameAsTest(), node.rank);
            }
            for (TestNode child : node.children) {
                collectRanks(child, ranks);
            }
        }
    }

    private static Comparator<Description> byRank(final Map<Object, Integer> ranks) {
        return new Comparator<Description>() {
            @Override
            public int compare(Description left, Description right) {
                return Integer.compare(rank(ranks, left), rank(ranks, right));
            }
        };
    }

    /** Containers of the tree whose children the runner does not hold in the order of their ranks. */
    private static Set<TestNode> unsorted(
            TestNode root, Description runner, Map<Object, Integer> ranks) {
        Map<Object, TestNode> containers = new HashMap<Object, TestNode>();
        collectContainers(root, containers);
        Set<TestNode> unsorted = new HashSet<TestNode>();
        collectUnsorted(runner, root, containers, ranks, unsorted);
        return unsorted;
    }

    private static void collectContainers(TestNode node, Map<Object, TestNode> containers) {
        containers.put(Keys.of(node.description), node);
        for (TestNode child : node.children) {
            collectContainers(child, containers);
        }
    }

    private static void collectUnsorted(
            Description held,
            TestNode outer,
            Map<Object, TestNode> containers,
            Map<Object, Integer> ranks,
            Set<TestNode> unsorted) {
        TestNode known = containers.get(Keys.of(held));
        TestNode container = known == null ? outer : known;
        int previous = -1;
        for (Description child : held.getChildren()) {
            int rank = rank(ranks, child);
            if (rank < previous) {
                unsorted.add(container);
            }
            previous = rank;
            collectUnsorted(child, container, containers, ranks, unsorted);
        }
    }

    /** Children of a container that cannot be split have no rank of their own. */
    private static int rank(Map<Object, Integer> ranks, Description description) {
        Integer rank = Keys.find(ranks, description);
        return rank == null ? Integer.MAX_VALUE : rank;
    }
}
