package residue.runner;

import java.util.List;

/** Hands an order to the adapters: each gets the longest stretches that are all its own. */
final class OrderRun {
    private final Adapters adapters;
    private final OrderProgress progress;
    private final StandInPlayer standIns;
    private final PutBack putBack;

    OrderRun(
            Adapters adapters, OrderProgress progress, StandInPlayer standIns, PutBack putBack) {
        this.adapters = adapters;
        this.progress = progress;
        this.standIns = standIns;
        this.putBack = putBack;
    }

    void run(List<Item> order) throws Exception {
        Boundaries.orderBegins(order, standIns, putBack);
        int from = 0;
        while (from < order.size()) {
            Framework framework = order.get(from).framework;
            int to = from + 1;
            while (to < order.size() && order.get(to).framework == framework) {
                to++;
            }
            runStretch(framework, order.subList(from, to));
            from = to;
        }
        Boundaries.orderEnded();
        progress.reportThreads();
    }

    private void runStretch(Framework framework, List<Item> items) throws Exception {
        Adapter adapter = adapters.of(framework);
        if (adapter == null) {
            throw new IllegalStateException(
                    "the order has tests of " + framework + ", which is not on the class path");
        }
        adapter.run(items, progress);
        for (Item item : items) {
            if (!progress.hasEnded(item)) {
                progress.notRun(item);
            }
        }
    }
}
