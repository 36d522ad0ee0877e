package residue.runner;

import java.util.Map;
import residue.runner.wire.EventWriter;

/** A shutdown hook that tells the host who ended the JVM before all was done. */
final class ExitReport extends Thread {
    private static final StackTraceElement[] UNKNOWN = {};

    private final EventWriter events;
    private final HostWatch watch;
    private volatile boolean expected;

    ExitReport(EventWriter events, HostWatch watch) {
        super("residue-exit-report");
        this.events = events;
        this.watch = watch;
    }

    /** From now on the end of the JVM is no news. */
    void expectExit() {
        expected = true;
    }

    @Override
    public void run() {
        watch.dismiss();
        if (!expected) {
            report();
        }
    }

    private void report() {
        StackTraceElement[] stack = UNKNOWN;
        int first = 0;
        try {
            for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
                int exit = exitFrame(entry.getValue());
                if (exit >= 0) {
                    stack = entry.getValue();
                    first = exit;
                    break;
                }
            }
        } catch (Throwable noStacks) {
            // That the JVM exits is worth telling without them.
        }
        events.exiting(stack, first);
    }

    /** The outermost frame of the JDK's way of exiting, or -1 if this thread is not the one. */
    private static int exitFrame(StackTraceElement[] stack) {
        int found = -1;
        for (int i = 0; i < stack.length; i++) {
            String owner = stack[i].getClassName();
            if (owner.equals("java.lang.Terminator$1")) {
                return -1; // a signal, not a call
            }
            boolean exits = owner.equals("java.lang.System") || owner.equals("java.lang.Runtime");
            if (exits && stack[i].getMethodName().equals("exit")) {
                found = i;
            }
        }
        return found;
    }
}
