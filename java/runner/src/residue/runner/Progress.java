package residue.runner;

/**
 * Receives what happens while an order runs. Implementations report to the host at once, so that a
 * JVM that dies leaves a true record. An item ends exactly once.
 */
public interface Progress {
    /** The test starts; its own set-up has not run yet. */
    void begin(Item item);

    void passed(Item item);

    /** The test threw. Whether that is a failure or an error is decided by what was thrown. */
    void threw(Item item, Throwable thrown);

    /** The framework decided not to run the test. */
    void skipped(Item item, String reasonOrNull);

    /** The framework knows no such test any more. */
    void notRun(Item item);

    /** A test ran that nobody asked for; {@code thrown} is null if it passed. */
    void unrequested(String id, Throwable thrown);

    /** The class fixture failed before its first test; each item it kept from running ends as errored. */
    void beforeClassFailed(String className, Throwable thrown, Iterable<Item> kept);

    /** The class fixture failed after its last test. */
    void afterClassFailed(String className, Throwable thrown);
}
