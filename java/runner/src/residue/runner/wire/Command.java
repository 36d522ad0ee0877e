package residue.runner.wire;

import java.util.List;
import residue.runner.Item;
import residue.runner.StandIns;
import residue.runner.StatePath;

/** The one thing that the host asks of this JVM: to list tests, or to run an order. */
public final class Command {
    /** Null if tests are to be run. */
    public final List<String> classesToList;
    /** TestNG suite files that replace the classes; empty if there are none. */
    public final List<String> suiteFiles;
    /** Null if tests are to be listed. */
    public final List<Item> order;
    /** What to do to static fields while the order runs; null if tests are to be listed. */
    public final StandIns standIns;
    /** What to put back before tests; null if tests are to be listed. */
    public final List<StatePath> putBack;

    private Command(
            List<String> classesToList,
            List<String> suiteFiles,
            List<Item> order,
            StandIns standIns,
            List<StatePath> putBack) {
        this.classesToList = classesToList;
        this.suiteFiles = suiteFiles;
        this.order = order;
        this.standIns = standIns;
        this.putBack = putBack;
    }

    static Command list(List<String> classes, List<String> suiteFiles) {
        return new Command(classes, suiteFiles, null, null, null);
    }

    static Command run(List<Item> order, StandIns standIns, List<StatePath> putBack) {
        return new Command(null, null, order, standIns, putBack);
    }
}
