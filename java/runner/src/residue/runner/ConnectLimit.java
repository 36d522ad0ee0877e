package residue.runner;

import residue.runner.wire.ExitCodes;

/**
 * Ends a JVM that cannot open its pipes. The host has its ends open before it starts a JVM, so
 * opening takes no time, unless the host was killed in between: then it would take for ever.
 */
final class ConnectLimit extends Thread {
    private static final long MILLIS = 3000;

    ConnectLimit() {
        super("residue-connect-limit");
        setDaemon(true);
    }

    /** To be called when the pipes are open. */
    void met() {
        interrupt();
    }

    @Override
    public void run() {
        try {
            Thread.sleep(MILLIS);
            Runtime.getRuntime().halt(ExitCodes.HOST_GONE);
        } catch (InterruptedException pipesAreOpen) {
            // Nothing is left to watch for.
        }
    }
}
