package residue.runner.junit4;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;

/**
 * Lets only wanted tests run. JUnit may ask several times about the same child (before 4.9 it asks
 * whenever it needs the children), so the answer depends on the description alone, except for
 * twins: those are told apart by counting, which relies on JUnit asking about each of them in turn.
 */
final class WantedFilter extends Filter {
    private final Selection selection;
    private final Map<Object, Integer> timesAsked = new HashMap<Object, Integer>();

    WantedFilter(Selection selection) {
        this.selection = selection;
    }

    @Override
    public boolean shouldRun(Description description) {
        List<TestNode> nodes = selection.nodesOf(description);
        if (nodes == null) {
            return false;
        }
        int which = nodes.size() == 1 ? 0 : count(Keys.of(description)) % nodes.size();
        return nodes.get(which).rank != TestNode.UNWANTED;
    }

    private int count(Object twin) {
        Integer times = timesAsked.get(twin);
        timesAsked.put(twin, times == null ? 1 : times + 1);
        return times == null ? 0 : times;
    }

    @Override
    public String describe() {
        return "the tests of an order";
    }
}
