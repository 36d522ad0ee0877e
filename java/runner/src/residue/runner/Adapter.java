package residue.runner;

import java.util.List;

/**
 * One test framework, in the version that the suite brings.
 *
 * <p>An implementation is loaded only when its framework is on the class path. It must not load or
 * initialise classes of the suite earlier than the framework itself would.
 */
public interface Adapter {
    Framework framework();

    /**
     * Lists the tests of those classes that belong to this framework, in the order in which the
     * framework would run them. Classes without tests of this framework are passed over in silence.
     */
    void list(List<Class<?>> candidates, Listing listing);

    /**
     * Runs consecutive tests of this framework in exactly this order. Consecutive tests of one class
     * share one class fixture. Every item is reported to {@code progress} exactly once.
     */
    void run(List<Item> items, Progress progress) throws Exception;
}
