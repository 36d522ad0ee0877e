package residue.runner.junit3;

import java.util.ArrayList;
import java.util.List;
import junit.extensions.RepeatedTest;
import junit.framework.Test;
import junit.framework.TestResult;
import residue.runner.Item;
import residue.runner.Locator;
import residue.runner.Progress;

/**
 * Runs consecutive tests below one root. JUnit 3 has no class fixtures; what is around tests are
 * decorators and suites with a run of their own, and those run once for each stretch of tests that
 * they hold.
 */
final class OldTestRun {
    private final String rootClass;
    private final Progress progress;
    private final EventTranslator events;

    OldTestRun(String rootClass, Progress progress) {
        this.rootClass = rootClass;
        this.progress = progress;
        this.events = new EventTranslator(progress);
    }

    void run(OldTest root, List<PlacedItem> items) {
        TestResult result = new TestResult();
        result.addListener(events);
        runIn(root, items, 0, result);
    }

    /** Runs tests that all stand at or below {@code node}, which is {@code depth} steps down. */
    private void runIn(OldTest node, List<PlacedItem> items, int depth, TestResult result) {
        switch (node.kind) {
            case LEAF:
                runLeaf(node, items, result);
                break;
            case PLAIN_SUITE:
            case ROUND:
                runChildren(node, items, depth, result);
                break;
            case FIXTURE:
                runFixture(node, items, depth, result);
                break;
            case ADAPTED:
                runAdapted(node, items, depth);
                break;
        }
    }

    private void runLeaf(OldTest leaf, List<PlacedItem> items, TestResult result) {
        for (PlacedItem placed : items) {
            events.enter(placed.item);
            Throwable escaped = null;
            try {
                leaf.test.run(result);
            } catch (Throwable thrown) {
                escaped = thrown;
            }
            events.leave(escaped);
        }
    }

    private void runChildren(OldTest parent, List<PlacedItem> items, int depth, TestResult result) {
        int from = 0;
        while (from < items.size()) {
            int to = endOfStretch(items, from, depth);
            OldTest child = parent.child(String.valueOf(items.get(from).step(depth)));
            if (child == null) {
                for (PlacedItem placed : items.subList(from, to)) {
                    progress.notRun(placed.item);
                }
            } else {
                runIn(child, items.subList(from, to), depth + 1, result);
            }
            from = to;
        }
    }

    private static int endOfStretch(List<PlacedItem> items, int from, int depth) {
        String step = String.valueOf(items.get(from).step(depth));
        int to = from + 1;
        while (to < items.size() && step.equals(items.get(to).step(depth))) {
            to++;
        }
        return to;
    }

    private void runFixture(OldTest fixture, List<PlacedItem> items, int depth, TestResult result) {
        int from = 0;
        while (from < items.size()) {
            int to = fixture.test instanceof RepeatedTest ? endOfRounds(items, from, depth) : items.size();
            runFixtureOnce(fixture, items.subList(from, to), depth, result);
            from = to;
        }
    }

    /** The rounds of a repeated test only go up; an order that goes back starts it again. */
    private static int endOfRounds(List<PlacedItem> items, int from, int depth) {
        int to = from + 1;
        while (to < items.size() && round(items.get(to), depth) >= round(items.get(to - 1), depth)) {
            to++;
        }
        return to;
    }

    private static int round(PlacedItem placed, int depth) {
        return Integer.parseInt(placed.step(depth));
    }

    private void runFixtureOnce(
            final OldTest fixture, final List<PlacedItem> items, final int depth, TestResult result) {
        final boolean inRounds = fixture.test instanceof RepeatedTest;
        final int[] calls = {0};
        Test inner =
                new Test() {
                    @Override
                    public int countTestCases() {
                        return items.size();
                    }

                    @Override
                    public void run(TestResult innerResult) {
                        calls[0]++;
                        if (inRounds) {
                            runChildren(fixture, ofRound(items, depth, calls[0]), depth, innerResult);
                        } else if (calls[0] == 1) {
                            runChildren(fixture, items, depth, innerResult);
                        }
                    }
                };
        Throwable escaped = null;
        try {
            Inner.set(fixture.test, inner);
            fixture.test.run(result);
        } catch (Throwable thrown) {
            escaped = thrown;
        }
        Throwable reported = events.takeFixtureFailure();
        fixtureEnded(reported == null ? escaped : reported, calls[0] > 0, items);
    }

    private static List<PlacedItem> ofRound(List<PlacedItem> items, int depth, int round) {
        List<PlacedItem> chosen = new ArrayList<PlacedItem>();
        for (PlacedItem placed : items) {
            if (round(placed, depth) == round) {
                chosen.add(placed);
            }
        }
        return chosen;
    }

    private void fixtureEnded(Throwable thrown, boolean ranTests, List<PlacedItem> items) {
        if (thrown != null && ranTests) {
            progress.afterClassFailed(rootClass, thrown);
        } else if (thrown != null) {
            progress.beforeClassFailed(rootClass, thrown, itemsOf(items));
        } else if (!ranTests) {
            for (PlacedItem placed : items) {
                progress.skipped(placed.item, "the fixture around it did not run it");
            }
        }
    }

    private void runAdapted(OldTest adapted, List<PlacedItem> items, int depth) {
        List<Locator> locators = new ArrayList<Locator>();
        for (PlacedItem placed : items) {
            locators.add(placed.locator.below(depth));
        }
        JUnit4Bridge.run(adapted.test, itemsOf(items), locators, progress);
    }

    private static List<Item> itemsOf(List<PlacedItem> placed) {
        List<Item> items = new ArrayList<Item>(placed.size());
        for (PlacedItem each : placed) {
            items.add(each.item);
        }
        return items;
    }
}
