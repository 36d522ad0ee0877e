package residue.runner;

/** Receives the tests that an adapter finds. */
public interface Listing {
    /**
     * A runnable test.
     *
     * @param id {@code pkg.Class#method} and bracketed parts
     * @param locator how {@link Adapter#run} finds it again in another JVM
     */
    void test(String id, String locator);

    /** A class that could not be asked for its tests. */
    void unlistable(String className, Throwable reason);
}
