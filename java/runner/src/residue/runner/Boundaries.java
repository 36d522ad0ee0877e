package residue.runner;

import java.util.List;

/**
 * Tells the tracing agent, if there is one, and whoever changes state between tests, if there is
 * anything to change, where one test ends and the next begins.
 *
 * <p>What runs before the first test of a class and after the last is told apart as far as the
 * framework tells; otherwise it counts for the test next to it. The agent and the stand-ins must
 * mean the same by a test, since the values of the one come from the traces of the other.
 */
public final class Boundaries {
    private static final int BEFORE_CLASS = 0;
    private static final int TEST = 1;
    private static final int AFTER_CLASS = 2;

    // For whom it counts which code runs.
    private static final int FOR_EPOCH = 0;
    private static final int FOR_CLASS = 1;
    private static final int FOR_ALL = 2;

    private static Boundaries current;

    private final List<Item> order;
    private final AgentHook hook;
    private final StandInPlayer standIns;
    private final PutBack putBack;
    private int kind = -1;
    private int position = -1;
    private int whom = FOR_EPOCH;

    private Boundaries(
            List<Item> order, AgentHook hook, StandInPlayer standIns, PutBack putBack) {
        this.order = order;
        this.hook = hook;
        this.standIns = standIns;
        this.putBack = putBack;
    }

    static synchronized void orderBegins(
            List<Item> order, StandInPlayer standIns, PutBack putBack) {
        AgentHook hook = new AgentHook();
        if (!hook.isThere() && standIns.hasNothingToDo() && putBack.hasNothingToDo()) {
            return;
        }
        current = new Boundaries(order, hook, standIns, putBack);
        if (!order.isEmpty()) {
            current.begin(BEFORE_CLASS, order.get(0).index);
            // Frameworks may look at all classes, and make instances of them, before the first begins.
            current.count(FOR_ALL);
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
            current.hook.root(instance);
        }
    }

    static synchronized void orderEnded() {
        if (current != null) {
            current.end();
            current.hook.finish();
            current = null;
        }
    }

    private void begin(int kind, int position) {
        if (kind == this.kind && position == this.position) {
            count(FOR_EPOCH);
            return;
        }
        end();
        this.kind = kind;
        this.position = position;
        this.whom = FOR_EPOCH;
        hook.boundary(kind, position);
        if (kind != AFTER_CLASS) {
            putBack.begins(kind == TEST, position, order);
        }
        if (kind == TEST) {
            standIns.testBegins(position);
        }
    }

    private void end() {
        if (kind == TEST) {
            standIns.testIsOver(position);
        }
    }

    private void count(int whom) {
        if (whom != this.whom) {
            this.whom = whom;
            hook.counts(whom);
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
        return next >= order.size() || !order.get(next).className().equals(item.className());
    }
}
