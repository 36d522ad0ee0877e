package residue.runner;

import residue.runner.wire.EventWriter;
import residue.runner.wire.TestEnd;

/**
 * Reports the progress of an order. Adapters translate what their framework says, and frameworks
 * may say the same twice (a failed test that is then finished, several failures of one test), so
 * only the first end of an item counts.
 */
final class OrderProgress implements Progress {
    private final EventWriter events;
    private final OutputMarks marks;
    private final LeftThreads threads;
    private final long[] begun;
    private final boolean[] ended;
    private int lastEnded;

    OrderProgress(int count, EventWriter events, OutputMarks marks, LeftThreads threads) {
        this.events = events;
        this.marks = marks;
        this.threads = threads;
        this.begun = new long[count];
        this.ended = new boolean[count];
    }

    @Override
    public void begin(Item item) {
        if (begun[item.index] != 0 || ended[item.index]) {
            return;
        }
        marks.begin(item.index);
        events.begin(item.index);
        Boundaries.testBegins(item);
        // 0 stands for "not begun".
        begun[item.index] = System.nanoTime() | 1;
    }

    @Override
    public void passed(Item item) {
        end(item, TestEnd.PASSED, null, null);
    }

    @Override
    public void threw(Item item, Throwable thrown) {
        end(item, kind(thrown), thrown, null);
    }

    @Override
    public void skipped(Item item, String reasonOrNull) {
        end(item, TestEnd.SKIPPED, null, reasonOrNull);
    }

    @Override
    public void notRun(Item item) {
        end(item, TestEnd.NOT_RUN, null, null);
    }

    @Override
    public void unrequested(String id, Throwable thrown) {
        events.unrequested(id, thrown == null ? TestEnd.PASSED : kind(thrown), thrown);
    }

    @Override
    public void beforeClassFailed(String className, Throwable thrown, Iterable<Item> kept) {
        events.fixtureFailed(className, false, thrown);
        for (Item item : kept) {
            end(item, TestEnd.ERRORED, thrown, null);
        }
    }

    @Override
    public void afterClassFailed(String className, Throwable thrown) {
        events.fixtureFailed(className, true, thrown);
    }

    boolean hasEnded(Item item) {
        return ended[item.index];
    }

    void reportThreads() {
        if (ended.length > 0) {
            threads.report(lastEnded, events);
        }
    }

    private void end(Item item, TestEnd end, Throwable thrown, String skipReason) {
        long now = System.nanoTime();
        int index = item.index;
        synchronized (this) {
            if (ended[index]) {
                return;
            }
            ended[index] = true;
            lastEnded = index;
        }
        boolean ran = begun[index] != 0;
        if (ran) {
            marks.end(index);
        }
        events.end(index, ran ? Math.max(0, now - begun[index]) : 0, end, thrown, skipReason);
        threads.testEnded(index);
        Boundaries.testEnded(item);
    }

    /** An assertion failed, or something else went wrong: the line that Surefire draws. */
    private static TestEnd kind(Throwable thrown) {
        if (thrown instanceof AssertionError) {
            return TestEnd.FAILED;
        }
        // JUnit 3.8 has an assertion error of its own that is a mere Error.
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("junit.framework.AssertionFailedError")) {
                return TestEnd.FAILED;
            }
        }
        return TestEnd.ERRORED;
    }
}
