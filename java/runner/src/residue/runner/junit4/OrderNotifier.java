package residue.runner.junit4;

import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.Result;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/**
 * Knows whether the build or a runner of the suite has added a listener of its own. Only such a
 * listener cares for the ends of the run and its {@link Result}, a class that takes milliseconds to
 * initialise, since it looks into its own serialised form.
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

    /** Only the build's listeners can be there before the first test. */
    void orderBegins(List<RunListener> ofTheBuild) {
        for (RunListener listener : ofTheBuild) {
            addListener(listener);
        }
        if (hasGuests) {
            fireTestRunStarted(Description.EMPTY);
        }
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
