package residue.runner.wire;

/** With what code the JVM ends when it is the runner that ends it. */
public final class ExitCodes {
    public static final int DONE = 0;
    /** The runner itself failed and has said so. */
    public static final int RUNNER_FAILED = 70;
    /** The host's end of a pipe was closed. */
    public static final int HOST_GONE = 75;

    private ExitCodes() {}
}
