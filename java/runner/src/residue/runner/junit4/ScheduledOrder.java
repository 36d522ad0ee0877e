package residue.runner.junit4;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.runners.model.RunnerScheduler;

/**
 * Orders the children of one runner by the means that exist for running them in parallel: children
 * are handed over in the runner's own order, and run when all are there. Since JUnit 4.7.
 */
final class ScheduledOrder implements RunnerScheduler {
    private final List<Runnable> children = new ArrayList<Runnable>();
    /** For each child in the runner's own order, the wanted place of the test that it belongs to. */
    private final List<Integer> ranks;

    ScheduledOrder(List<Integer> ranks) {
        this.ranks = ranks;
    }

    @Override
    public void schedule(Runnable child) {
        children.add(child);
    }

    @Override
    public void finished() {
        if (children.size() != ranks.size()) {
            throw new IllegalStateException(
                    "a runner has " + children.size() + " children where " + ranks.size() + " were asked for");
        }
        SortedMap<Integer, List<Runnable>> byRank = new TreeMap<Integer, List<Runnable>>();
        for (int i = 0; i < children.size(); i++) {
            List<Runnable> ofOneTest = byRank.get(ranks.get(i));
            if (ofOneTest == null) {
                ofOneTest = new ArrayList<Runnable>(1);
                byRank.put(ranks.get(i), ofOneTest);
            }
            ofOneTest.add(children.get(i));
        }
        for (List<Runnable> ofOneTest : byRank.values()) {
            for (Runnable child : ofOneTest) {
                child.run();
            }
        }
    }
}
