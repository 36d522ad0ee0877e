package residue.runner.wire;

/** How a test ended, in the order of the numbers in the protocol. */
public enum TestEnd {
    PASSED,
    FAILED,
    ERRORED,
    SKIPPED,
    NOT_RUN
}
