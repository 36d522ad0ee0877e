package residue.runner.junit4;

import java.util.HashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import residue.runner.Listing;
import residue.runner.Locator;
import residue.runner.TestIds;

/** Lists the tests of one runner. */
public final class RunnerListing {
    private static final String INITIALIZATION_ERROR = "initializationError";

    private final TestIds ids;
    private final Listing listing;
    private final Asked asked;

    /** @param selected which tests the build selects, or null for all */
    public RunnerListing(Filter selected, TestIds ids, Listing listing) {
        this.ids = ids;
        this.listing = listing;
        this.asked = new Asked(selected);
    }

    /** @param place from where the locators of the tests start */
    public void list(RootRunner rootRunner, Locator place) {
        Runner runner = rootRunner.create();
        String className = rootRunner.className();
        if (!select(runner)) {
            return;
        }
        Description description = runner.getDescription();
        TestNode root = TestNode.root(description, className);
        if (!root.isTest()) {
            list(root, place);
        } else if (!(runner instanceof Filterable)) {
            // An ignored class describes itself as one test; a suite without classes as none.
            listing.test(ids.unique(TestIds.wholeClass(className)), place.toString());
        }
    }

    private boolean select(Runner runner) {
        if (!(runner instanceof Filterable)) {
            return asked.selects(runner.getDescription());
        }
        try {
            ((Filterable) runner).filter(asked);
            return true;
        } catch (NoTestsRemainException nothingLeft) {
            return false;
        }
    }

    private void list(TestNode node, Locator place) {
        if (node.isTest()) {
            String id =
                    node.testName == null
                            ? TestIds.wholeClass(node.className)
                            : TestIds.of(node.className, node.testName);
            listing.test(ids.unique(id), place.toString());
        } else if (!isSplittable(node)) {
            listing.test(ids.unique(idOfWhole(node)), place.toString());
        } else {
            for (TestNode child : node.children) {
                list(child, place.child(child.step));
            }
        }
    }

    /** A runner that can run a part of its tests asks the filter about each. */
    private boolean isSplittable(TestNode container) {
        for (TestNode child : container.children) {
            boolean askedAbout =
                    asked.about.contains(Keys.of(child.description))
                            || asked.names.contains(child.nameAsTest());
            if (!askedAbout) {
                return false;
            }
        }
        return true;
    }

    private static String idOfWhole(TestNode container) {
        String firstTest = container.children.get(0).displayName;
        if (firstTest.startsWith(INITIALIZATION_ERROR)) {
            return TestIds.of(container.className, INITIALIZATION_ERROR);
        }
        return container.testName == null
                ? TestIds.wholeClass(container.className)
                : TestIds.of(container.className, container.testName + "[*]");
    }

    /** Notes about what it was asked. One filter, since old versions keep only the last one. */
    private static final class Asked extends Filter {
        final Set<Object> about = new HashSet<Object>();
        final Set<String> names = new HashSet<String>();
        private final Filter selected;

        Asked(Filter selected) {
            this.selected = selected;
        }

        boolean selects(Description description) {
            return selected == null || selected.shouldRun(description);
        }

        @Override
        public boolean shouldRun(Description description) {
            about.add(Keys.of(description));
            names.add(description.getDisplayName());
            return selects(description);
        }

        @Override
        public String describe() {
            return "the tests that the build selects";
        }
    }
}
