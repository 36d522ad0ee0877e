package residue.runner.junit3;

import junit.framework.Test;
import junit.framework.TestCase;
import residue.runner.Listing;
import residue.runner.Locator;
import residue.runner.TestIds;

/** Lists the tests of one tree. */
final class OldTestListing {
    private final JUnit4Bridge junit4OrNull;
    private final TestIds ids = new TestIds();
    private final Listing listing;

    OldTestListing(JUnit4Bridge junit4OrNull, Listing listing) {
        this.junit4OrNull = junit4OrNull;
        this.listing = listing;
    }

    void list(OldTest node, Locator place) {
        if (node.kind == OldTest.Kind.ADAPTED) {
            junit4OrNull.list(node.test, place, ids, listing);
        } else if (node.kind != OldTest.Kind.LEAF) {
            for (OldTest child : node.children) {
                list(child, place.child(child.step));
            }
        } else if (junit4OrNull == null || junit4OrNull.selects(node.test.getClass())) {
            listing.test(ids.unique(idOf(node)), place.toString());
        }
    }

    private static String idOf(OldTest leaf) {
        Test test = leaf.test;
        String className = test.getClass().getName();
        if (test instanceof PlainClassTest) {
            return TestIds.of(leaf.suiteName, ((PlainClassTest) test).getName());
        }
        if (!(test instanceof TestCase)) {
            return TestIds.wholeClass(className);
        }
        // JUnit puts an anonymous test of its own where a class has something wrong with it.
        boolean warning = className.startsWith("junit.framework.TestSuite$");
        return TestIds.of(warning ? leaf.suiteName : className, ((TestCase) test).getName());
    }
}
