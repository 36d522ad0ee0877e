package residue.runner.wire;

import java.util.List;
import residue.runner.Item;

/** The one thing that the host asks of this JVM: to list tests, or to run an order. */
public final class Command {
    /** Null if tests are to be run. */
    public final List<String> classesToList;
    /** TestNG suite files that replace the classes; empty if there are none. */
    public final List<String> suiteFiles;
    /** Null if tests are to be listed. */
    public final List<Item> order;

    private Command(List<String> classesToList, List<String> suiteFiles, List<Item> order) {
        this.classesToList = classesToList;
        this.suiteFiles = suiteFiles;
        this.order = order;
    }

    static Command list(List<String> classes, List<String> suiteFiles) {
        return new Command(classes, suiteFiles, null);
    }

    static Command run(List<Item> order) {
        return new Command(null, null, order);
    }
}
