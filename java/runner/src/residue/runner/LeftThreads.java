package residue.runner;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import residue.runner.wire.EventWriter;

/**
 * Notes which non-daemon threads appeared during which test. A thread that a class fixture starts
 * counts for the next test that ends.
 */
final class LeftThreads {
    private static final int NONE = -1;
    private static final Comparator<Map.Entry<Thread, Integer>> BY_TEST_AND_NAME =
            new Comparator<Map.Entry<Thread, Integer>>() {
                @Override
                public int compare(Map.Entry<Thread, Integer> left, Map.Entry<Thread, Integer> right) {
                    int byTest = left.getValue().compareTo(right.getValue());
                    return byTest != 0
                            ? byTest
                            : left.getKey().getName().compareTo(right.getKey().getName());
                }
            };

    private final ThreadGroup root = rootGroup();
    private final Map<Thread, Integer> testOfThread = new IdentityHashMap<Thread, Integer>();
    private Thread[] seen = new Thread[32];

    LeftThreads() {
        note(NONE);
    }

    /** To be called at the end of each test. */
    synchronized void testEnded(int index) {
        forgetDead();
        note(index);
    }

    /** Reports the threads that are still alive when everything is done. */
    synchronized void report(int lastIndex, EventWriter events) {
        testEnded(lastIndex);
        List<Map.Entry<Thread, Integer>> left =
                new ArrayList<Map.Entry<Thread, Integer>>();
        for (Map.Entry<Thread, Integer> entry : testOfThread.entrySet()) {
            if (entry.getValue() != NONE) {
                left.add(new SimpleEntry<Thread, Integer>(entry));
            }
        }
        Collections.sort(left, BY_TEST_AND_NAME);
        for (Map.Entry<Thread, Integer> entry : left) {
            events.threadLeft(entry.getValue(), entry.getKey().getName());
        }
    }

    private void note(int index) {
        int count = enumerate();
        for (int i = 0; i < count; i++) {
            Thread thread = seen[i];
            seen[i] = null;
            if (!thread.isDaemon() && !testOfThread.containsKey(thread)) {
                testOfThread.put(thread, index);
            }
        }
    }

    private int enumerate() {
        int count = root.enumerate(seen);
        while (count == seen.length) {
            // A full array may have left some out.
            seen = new Thread[2 * seen.length];
            count = root.enumerate(seen);
        }
        return count;
    }

    private void forgetDead() {
        if (testOfThread.size() > 1) {
            Iterator<Thread> threads = testOfThread.keySet().iterator();
            while (threads.hasNext()) {
                if (!threads.next().isAlive()) {
                    threads.remove();
                }
            }
        }
    }

    private static ThreadGroup rootGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
