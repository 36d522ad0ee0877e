package residue.runner.junit3;

import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestListener;
import residue.runner.Item;
import residue.runner.Progress;
import residue.runner.TestIds;

/**
 * Translates what JUnit 3 says. Whatever happens while a test of the order runs belongs to that
 * test; an error outside of any test comes from a fixture around the tests.
 */
final class EventTranslator implements TestListener {
    private final Progress progress;
    private Item current;
    private boolean begun;
    private Throwable thrown;
    private Throwable fixtureThrew;

    EventTranslator(Progress progress) {
        this.progress = progress;
    }

    void enter(Item item) {
        current = item;
        begun = false;
        thrown = null;
    }

    /** The test has returned, or thrown, which only a test with a run of its own does. */
    void leave(Throwable escaped) {
        Item item = current;
        current = null;
        Throwable cause = thrown == null ? escaped : thrown;
        if (cause != null) {
            progress.threw(item, cause);
        } else if (begun) {
            progress.passed(item);
        } else {
            progress.notRun(item);
        }
    }

    /** What the fixture threw since last asked; null if nothing. */
    Throwable takeFixtureFailure() {
        Throwable taken = fixtureThrew;
        fixtureThrew = null;
        return taken;
    }

    @Override
    public synchronized void startTest(Test test) {
        if (current != null && !begun) {
            begun = true;
            progress.begin(current);
        }
    }

    @Override
    public synchronized void addError(Test test, Throwable cause) {
        if (current == null) {
            fixtureThrew = cause;
        } else if (thrown == null) {
            thrown = cause;
        }
    }

    @Override
    public void addFailure(Test test, AssertionFailedError cause) {
        addError(test, cause);
    }

    @Override
    public synchronized void endTest(Test test) {
        if (current == null && test instanceof TestCase) {
            String name = ((TestCase) test).getName();
            progress.unrequested(TestIds.of(test.getClass().getName(), name), takeFixtureFailure());
        }
    }
}
