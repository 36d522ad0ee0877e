package residue.runner.junit3;

import java.util.List;
import junit.framework.Test;
import org.junit.runner.notification.RunNotifier;
import residue.runner.Item;
import residue.runner.Listing;
import residue.runner.Locator;
import residue.runner.Progress;
import residue.runner.Setup;
import residue.runner.TestIds;
import residue.runner.junit4.CategoryFilter;
import residue.runner.junit4.RootRunner;
import residue.runner.junit4.RunnerGroups;
import residue.runner.junit4.RunnerListing;

/** What JUnit 3 tests need of JUnit 4, in a class of its own, since JUnit 4 may be absent. */
final class JUnit4Bridge {
    private final CategoryFilter categories;

    JUnit4Bridge(Setup setup) {
        categories = CategoryFilter.of(setup);
    }

    boolean selects(Class<?> testClass) {
        return categories == null || categories.selectsClass(testClass);
    }

    void list(Test adapter, Locator place, TestIds ids, Listing listing) {
        RootRunner root = RootRunner.ofAdapted(AdaptedClass.of(adapter));
        new RunnerListing(categories, ids, listing).list(root, place);
    }

    /** @param locators of {@code items} as seen from the adapted class */
    static void run(Test adapter, List<Item> items, List<Locator> locators, Progress progress) {
        RootRunner root = RootRunner.ofAdapted(AdaptedClass.of(adapter));
        new RunnerGroups(new RunNotifier(), progress).run(root, items, locators);
    }
}
