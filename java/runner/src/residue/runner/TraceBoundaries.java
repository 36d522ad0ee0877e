package residue.runner;

import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.util.List;

/**
 * Tells the tracing agent, if there is one, where one test ends and the next begins.
 *
 * <p>The agent's class is looked up by name: without the agent it is not there, and nothing happens
 * here. What runs before the first test of a class and after the last is told apart as far as the
 * framework tells; otherwise it counts for the test next to it.
 */
public final class TraceBoundaries {
    private static final int BEFORE_CLASS = 0;
    private static final int TEST = 1;
    private static final int AFTER_CLASS = 2;

    // For whom it counts which code runs.
    private static final int FOR_EPOCH = 0;
    private static final int FOR_CLASS = 1;
    private static final int FOR_ALL = 2;

    private static TraceBoundaries current;

    private final List<Item> order;
    private final Method boundary;
    private final Method counts;
    private final Method finish;
    private final Method root;
    private int kind = -1;
    private int position = -1;
    private int whom = FOR_EPOCH;

    private TraceBoundaries(List<Item> order, Class<?> hook) throws NoSuchMethodException {
        this.order = order;
        this.boundary = hook.getMethod("boundary", int.class, int.class);
        this.counts = hook.getMethod("counts", int.class);
        this.finish = hook.getMethod("finish");
        this.root = hook.getMethod("root", Object.class);
    }

    static synchronized void orderBegins(List<Item> order) {
        TraceBoundaries started;
        try {
            started = new TraceBoundaries(order, Class.forName("java.lang.ResidueHook"));
        } catch (ReflectiveOperationException notTraced) {
            return;
        }
        current = started;
        // JDK 25 looks it up when it is first needed, which is no test's doing.
        Charset.defaultCharset();
        if (!order.isEmpty()) {
            started.begin(BEFORE_CLASS, order.get(0).index);
            // Frameworks may look at all classes, and make instances of them, before the first begins.
            started.count(FOR_ALL);
        }
    }

    /** What runs now prepares this test and others of its class. */
    public static synchronized void classBegins(Item first) {
        if (current != null) {
            current.begin(BEFORE_CLASS, first.index);
        }
    }

    static synchronized void testBegins(Item item) {
        if (current != null) {
            current.begin(TEST, item.index);
        }
    }

    /** What runs now is the set-up of the next test, which has not been announced yet. */
    public static synchronized void setUpBegins() {
        if (current != null && current.kind == TEST && current.position + 1 < current.order.size()) {
            current.begin(TEST, current.position + 1);
        }
    }

    static synchronized void testEnded(Item item) {
        if (current == null || current.position != item.index) {
            return;
        }
        if (current.isLastOfClass(item)) {
            current.afterLast(item);
        } else {
            // Factories of tests and of parameters run here.
            current.count(FOR_CLASS);
        }
    }

    /** An object that the framework keeps for several tests. */
    public static synchronized void shared(Object instance) {
        if (current != null && instance != null) {
            current.call(current.root, instance);
        }
    }

    static synchronized void orderEnded() {
        if (current != null) {
            current.call(current.finish);
            current = null;
        }
    }

    private void begin(int kind, int position) {
        if (kind != this.kind || position != this.position) {
            this.kind = kind;
            this.position = position;
            this.whom = FOR_EPOCH;
            call(boundary, kind, position);
        } else {
            count(FOR_EPOCH);
        }
    }

    private void count(int whom) {
        if (whom != this.whom) {
            this.whom = whom;
            call(counts, whom);
        }
    }

    /** TestNG does not say where the class fixture of one class ends and that of the next begins. */
    private void afterLast(Item item) {
        boolean isLast = item.index + 1 == order.size();
        if (isLast || item.framework != Framework.TESTNG) {
            begin(AFTER_CLASS, item.index);
        } else {
            begin(BEFORE_CLASS, item.index + 1);
        }
    }

    private boolean isLastOfClass(Item item) {
        int next = item.index + 1;
        return next >= order.size() || !className(order.get(next)).equals(className(item));
    }

    private static String className(Item item) {
        int end = item.id.indexOf('#');
        return end < 0 ? item.id : item.id.substring(0, end);
    }

    private void call(Method method, Object... arguments) {
        try {
            method.invoke(null, arguments);
        } catch (ReflectiveOperationException unusable) {
            // The hook throws nothing. If it cannot be called the trace ends here, and says so.
            current = null;
        }
    }
}
