package residue.runner.junit3;

import residue.runner.Item;
import residue.runner.Locator;

/** A test of an order and where it stands. */
final class PlacedItem {
    final Item item;
    final Locator locator;

    PlacedItem(Item item, Locator locator) {
        this.item = item;
        this.locator = locator;
    }

    /** Null if this test stands higher up. */
    String step(int depth) {
        return depth < locator.steps.size() ? locator.steps.get(depth) : null;
    }
}
