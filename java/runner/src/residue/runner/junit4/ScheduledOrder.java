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
    /** For each child in the runner's own order, its wanted place. */
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
        SortedMap<Integer, Runnable> byRank = new TreeMap<Integer, Runnable>();
        for (int i = 0; i < children.size(); i++) {
            byRank.put(ranks.get(i), children.get(i));
        }
        for (Runnable child : byRank.values()) {
            child.run();
        }
    }
}
