package residue.runner;

import java.util.List;
import residue.runner.wire.EventWriter;

/**
 * Notes what is at the end of paths before the tests of an order and puts that back before one of
 * them. Never throws: what cannot be done is reported.
 */
final class PutBack {
    private final List<StatePath> paths;
    private final Keepsakes keepsakes;
    private final EventWriter events;
    /** By position of the path; those that are put back are gone. Null before the first test. */
    private Keepsake[] noted;

    PutBack(List<StatePath> paths, ClassLoader loader, EventWriter events) {
        this.paths = paths;
        this.keepsakes = new Keepsakes(loader);
        this.events = events;
    }

    boolean hasNothingToDo() {
        return paths.isEmpty();
    }

    /**
     * Something begins: a test, or the class fixture before it. A fixture that all tests of the order
     * share runs before each of them alone, too, so what it leaves is noted and not undone.
     */
    void begins(boolean isTest, int position, List<Item> order) {
        if (paths.isEmpty()) {
            return;
        }
        if (noted == null && (isTest || !isOneClass(order))) {
            note();
        }
        if (noted != null) {
            putBack(position);
        }
    }

    private void note() {
        noted = new Keepsake[paths.size()];
        for (int number = 0; number < noted.length; number++) {
            try {
                noted[number] = keepsakes.of(paths.get(number));
            } catch (Throwable thrown) {
                refuse(number, thrown);
            }
        }
    }

    private void putBack(int position) {
        for (int number = 0; number < noted.length; number++) {
            if (noted[number] == null || paths.get(number).putBackBefore != position) {
                continue;
            }
            try {
                noted[number].putBack();
            } catch (Throwable thrown) {
                refuse(number, thrown);
            }
            noted[number] = null;
        }
    }

    private void refuse(int number, Throwable thrown) {
        events.notPutBack(number, StandInPlayer.reason(thrown));
    }

    private static boolean isOneClass(List<Item> order) {
        String last = order.get(order.size() - 1).className();
        for (Item item : order) {
            if (!item.className().equals(last)) {
                return false;
            }
        }
        return true;
    }
}
