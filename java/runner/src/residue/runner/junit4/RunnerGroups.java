package residue.runner.junit4;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;
import residue.runner.Item;
import residue.runner.Locator;
import residue.runner.Progress;
import residue.runner.Boundaries;

/**
 * Runs consecutive tests below one root class in as few groups as possible. Each group gets a fresh
 * runner, so that its class fixtures run again.
 */
public final class RunnerGroups {
    private final RunNotifier notifier;
    private final Progress progress;

    public RunnerGroups(RunNotifier notifier, Progress progress) {
        this.notifier = notifier;
        this.progress = progress;
    }

    /**
     * Runs tests that all have the same root.
     *
     * @param locators of {@code items}, as seen from {@code root}
     */
    public void run(RootRunner root, List<Item> items, List<Locator> locators) {
        Map<Item, List<String>> steps = new HashMap<Item, List<String>>();
        for (int i = 0; i < items.size(); i++) {
            steps.put(items.get(i), locators.get(i).steps);
        }
        run(root, items, steps);
    }

    private void run(RootRunner root, List<Item> items, Map<Item, List<String>> steps) {
        int next = 0;
        while (next < items.size()) {
            Wanted group = new Wanted();
            while (next < items.size() && group.add(steps.get(items.get(next)), items.get(next))) {
                next++;
            }
            runGroup(root, group, steps);
        }
    }

    private void runGroup(RootRunner root, Wanted group, Map<Item, List<String>> steps) {
        Boundaries.classBegins(group.items().get(0));
        Runner runner = root.create();
        TestNode tree = TestNode.root(runner.getDescription(), root.className());
        Selection selection = new Selection(tree, group);
        for (Item item : selection.missing) {
            progress.notRun(item);
        }
        GroupListener listener = new GroupListener(selection, root.className(), progress);
        Set<TestNode> stubborn;
        try {
            stubborn = Arrangement.apply(selection, runner);
            if (stubborn.isEmpty()) {
                runWith(listener, runner);
                return;
            }
        } catch (Throwable thrown) {
            listener.runThrew(thrown);
            return;
        }
        for (List<Item> stretch : Stretches.of(selection.root, stubborn)) {
            run(root, stretch, steps);
        }
    }

    private void runWith(GroupListener listener, Runner runner) {
        notifier.addListener(listener);
        try {
            runner.run(notifier);
            listener.runEnded();
        } finally {
            notifier.removeListener(listener);
        }
    }
}
