package residue.runner.junit4;

import org.junit.runner.Result;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/**
 * Knows whether a runner of the suite has added a listener of its own. Only such a listener cares
 * for the end of the run and its {@link Result}, a class that takes milliseconds to initialise,
 * since it looks into its own serialised form. At the start nobody can have been added yet.
 */
final class OrderNotifier extends RunNotifier {
    private volatile boolean hasGuests;

    @Override
    public void addListener(RunListener listener) {
        welcome(listener);
        super.addListener(listener);
    }

    @Override
    public void addFirstListener(RunListener listener) {
        welcome(listener);
        super.addFirstListener(listener);
    }

    void orderEnded() {
        if (hasGuests) {
            fireTestRunFinished(new Result());
        }
    }

    private void welcome(RunListener listener) {
        if (!(listener instanceof GroupListener)) {
            hasGuests = true;
        }
    }
}
