import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Writes down every call. */
public final class LogHook {
    static final List<String> calls = new ArrayList<>();
    static final Set<Integer> blocks = new TreeSet<>();

    private LogHook() {}

    private static void log(String hook, Object what) {
        calls.add(hook + " " + what);
    }

    private static void log(String hook, Object array, int index) {
        calls.add(hook + " " + (array == null ? null : array.getClass().getSimpleName()) + " " + index);
    }

    public static void staticRead(int field) {
        log("staticRead", field);
    }

    public static void staticWrite(int field) {
        log("staticWrite", field);
    }

    public static void staticWriteRef(int field) {
        log("staticWriteRef", field);
    }

    public static void read(Object receiver, int field) {
        log("read", field);
    }

    public static void write(Object receiver, int field) {
        log("write", field);
    }

    public static void writeRef(Object receiver, int field) {
        log("writeRef", field);
    }

    public static void elementRead(Object array, int index) {
        log("elementRead", array, index);
    }

    public static void elementWrite(Object array, int index) {
        log("elementWrite", array, index);
    }

    public static void elementWriteRef(Object array, int index) {
        log("elementWriteRef", array, index);
    }

    public static void cloning(Object original) {
        log("cloning", original.getClass().getSimpleName());
    }

    public static void classInitialized() {
        calls.add("classInitialized");
    }

    public static void reached(int block) {
        blocks.add(block);
    }

    public static void initializing(int type) {
        log("initializing", type);
    }

    public static void initialized(int type) {
        log("initialized", type);
    }

    public static void arraycopy(Object from, int fromIndex, Object to, int toIndex, int length) {
        log("arraycopy", from.getClass().getSimpleName());
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    public static long scaled(Replaced.Scale scale, int times, long value) {
        log("scaled", times);
        return scale.scaled(times, value);
    }

    public static void entered(Entered receiver, long first, String second) {
        log("entered", first + " " + second);
    }
}
