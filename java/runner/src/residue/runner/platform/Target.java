package residue.runner.platform;

import java.util.List;
import residue.runner.Item;

/** One test that a launcher request is to run. */
final class Target {
    final Item item;
    final Locator locator;
    /** Unique ids from the engine to the test. */
    final List<String> path;
    boolean begun;
    boolean ended;

    Target(Item item, Locator locator) {
        this.item = item;
        this.locator = locator;
        this.path = UniqueIds.path(locator.uniqueId);
    }
}
