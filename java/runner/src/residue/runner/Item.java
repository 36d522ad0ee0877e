package residue.runner;

/** One test of an order. */
public final class Item {
    /** Position in the order. */
    public final int index;
    public final String id;
    public final Framework framework;
    /** What the adapter gave when it listed this test, to find it again without listing. */
    public final String locator;

    public Item(int index, String id, Framework framework, String locator) {
        this.index = index;
        this.id = id;
        this.framework = framework;
        this.locator = locator;
    }

    String className() {
        int end = id.indexOf('#');
        return end < 0 ? id : id.substring(0, end);
    }
}
