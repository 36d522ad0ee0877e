package residue.runner.testng;

import residue.runner.Item;

/** One test that is to run. */
final class Target {
    /** Null for a method that is run only to learn its invocations. */
    final Item item;
    final Locator locator;
    boolean begun;
    boolean ended;

    Target(Item item, Locator locator) {
        this.item = item;
        this.locator = locator;
    }
}
