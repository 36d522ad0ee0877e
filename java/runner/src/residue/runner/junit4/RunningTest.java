package residue.runner.junit4;

import residue.runner.Item;
import residue.runner.Progress;

/**
 * What is known about one test of a group while it runs. A container that cannot be split is one
 * test too: it threw if anything in it threw, and was skipped if nothing in it ran.
 */
final class RunningTest {
    final Item item;
    final boolean isContainer;
    private final Progress progress;
    private boolean begun;
    private boolean ended;
    private boolean ran;
    private boolean skipped;
    private Throwable thrown;
    private String skipReason;

    RunningTest(Item item, boolean isContainer, Progress progress) {
        this.item = item;
        this.isContainer = isContainer;
        this.progress = progress;
    }

    boolean hasBegun() {
        return begun;
    }

    boolean hasEnded() {
        return ended;
    }

    void started() {
        if (!begun) {
            begun = true;
            progress.begin(item);
        }
    }

    /** JUnit may report several failures of one test; the first one is the one to explain. */
    void threw(Throwable cause) {
        if (thrown == null) {
            thrown = cause;
        }
        if (!begun && !isContainer) {
            end();
        }
    }

    void assumptionFailed(String reason) {
        skipped = true;
        skipReason = reason;
    }

    void ignored(String reason) {
        skipped = true;
        skipReason = reason;
        if (!isContainer) {
            end();
        }
    }

    void finished() {
        if (!isContainer) {
            end();
        } else if (!skipped) {
            ran = true;
        }
    }

    /** Nothing more is coming. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (thrown != null) {
            progress.threw(item, thrown);
        } else if (skipped && !ran) {
            progress.skipped(item, skipReason);
        } else if (begun) {
            progress.passed(item);
        } else {
            progress.notRun(item);
        }
    }

    /** Its class fixture failed, and the failure is reported for all tests at once. */
    void keptFromRunning() {
        ended = true;
    }
}
