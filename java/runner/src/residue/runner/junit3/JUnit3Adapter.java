package residue.runner.junit3;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import residue.runner.Adapter;
import residue.runner.Framework;
import residue.runner.Item;
import residue.runner.Listing;
import residue.runner.Locator;
import residue.runner.Progress;
import residue.runner.Setup;
import residue.runner.TestIds;
import residue.runner.Boundaries;

/** JUnit 3.8, alone or as the part of JUnit 4 that has the same API. */
public final class JUnit3Adapter implements Adapter {
    private final JUnit3Classes classes = new JUnit3Classes();
    private final JUnit4Bridge junit4OrNull;

    public JUnit3Adapter(Setup setup) {
        junit4OrNull = classes.isJUnit4Present() ? new JUnit4Bridge(setup) : null;
    }

    @Override
    public Framework framework() {
        return Framework.JUNIT3;
    }

    @Override
    public void list(List<Class<?>> candidates, Listing listing) {
        for (Class<?> candidate : candidates) {
            try {
                if (classes.include(candidate)) {
                    list(candidate, listing);
                }
            } catch (Throwable thrown) {
                listing.unlistable(candidate.getName(), thrown);
            }
        }
    }

    private void list(Class<?> root, Listing listing) {
        Locator place = Locator.root(root.getName());
        OldTest tree;
        try {
            tree = OldTestTree.of(root);
        } catch (Throwable suiteMethodThrew) {
            listing.test(TestIds.of(root.getName(), "initializationError"), place.toString());
            return;
        }
        new OldTestListing(junit4OrNull, listing).list(tree, place);
    }

    @Override
    public void run(List<Item> items, Progress progress) {
        List<PlacedItem> placed = new ArrayList<PlacedItem>(items.size());
        Map<String, Integer> remaining = new HashMap<String, Integer>();
        for (Item item : items) {
            Locator locator = Locator.parse(item.locator);
            placed.add(new PlacedItem(item, locator));
            Integer count = remaining.get(locator.root);
            remaining.put(locator.root, count == null ? 1 : count + 1);
        }
        Map<String, OldTest> trees = new HashMap<String, OldTest>();
        int from = 0;
        while (from < placed.size()) {
            String root = placed.get(from).locator.root;
            int to = from + 1;
            while (to < placed.size() && placed.get(to).locator.root.equals(root)) {
                to++;
            }
            runRoot(root, placed.subList(from, to), trees, progress);
            int left = remaining.get(root) - (to - from);
            remaining.put(root, left);
            if (left == 0) {
                // As in the build, the instances of a class may go once its tests have run.
                trees.remove(root);
            }
            from = to;
        }
    }

    private static void runRoot(
            String root, List<PlacedItem> items, Map<String, OldTest> trees, Progress progress) {
        OldTest tree = trees.get(root);
        if (tree == null) {
            try {
                tree = OldTestTree.of(Class.forName(root, false, ClassLoader.getSystemClassLoader()));
            } catch (Throwable thrown) {
                for (PlacedItem placed : items) {
                    progress.threw(placed.item, thrown);
                }
                return;
            }
            trees.put(root, tree);
        }
        Boundaries.classBegins(items.get(0).item);
        new OldTestRun(root, progress).run(tree, items);
    }
}
