package residue.runner.junit4;

import java.util.ArrayList;
import java.util.List;
import org.junit.runner.notification.RunListener;
import residue.runner.Adapter;
import residue.runner.BuildListeners;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Listing;
import residue.runner.Locator;
import residue.runner.Progress;
import residue.runner.Setup;
import residue.runner.TestIds;

/** JUnit 4.4 and later, through the runners that JUnit itself picks for a class. */
public final class JUnit4Adapter implements Adapter {
    private final JUnit4Classes classes = new JUnit4Classes();
    private final CategoryFilter categories;
    private final List<RunListener> listeners;

    public JUnit4Adapter(Setup setup) throws Exception {
        categories = CategoryFilter.of(setup);
        listeners = BuildListeners.of(setup, RunListener.class);
        WarmUp.run();
    }

    @Override
    public Framework framework() {
        return Framework.JUNIT4;
    }

    @Override
    public void list(List<Class<?>> candidates, Listing listing) {
        for (Class<?> candidate : candidates) {
            String name = candidate.getName();
            try {
                if (classes.include(candidate)) {
                    new RunnerListing(categories, new TestIds(), listing)
                            .list(RootRunner.of(candidate), Locator.root(name));
                }
            } catch (Throwable thrown) {
                listing.unlistable(name, thrown);
            }
        }
    }

    @Override
    public void run(List<Item> items, Progress progress) throws ClassNotFoundException {
        OrderNotifier notifier = new OrderNotifier();
        notifier.orderBegins(listeners);
        RunnerGroups groups = new RunnerGroups(notifier, progress);
        int from = 0;
        while (from < items.size()) {
            List<Item> ofOneRoot = new ArrayList<Item>();
            List<Locator> locators = new ArrayList<Locator>();
            Locator first = Locator.parse(items.get(from).locator);
            int to = from;
            for (Locator next = first; next != null && next.root.equals(first.root); ) {
                ofOneRoot.add(items.get(to));
                locators.add(next);
                to++;
                next = to < items.size() ? Locator.parse(items.get(to).locator) : null;
            }
            runRoot(first.root, ofOneRoot, locators, groups, progress);
            from = to;
        }
        notifier.orderEnded();
    }

    private static void runRoot(
            String root, List<Item> items, List<Locator> locators, RunnerGroups groups, Progress progress) {
        Class<?> testClass;
        try {
            testClass = Class.forName(root, false, ClassLoader.getSystemClassLoader());
        } catch (Throwable unloadable) {
            for (Item item : items) {
                progress.threw(item, unloadable);
            }
            return;
        }
        groups.run(RootRunner.of(testClass), items, locators);
    }
}
