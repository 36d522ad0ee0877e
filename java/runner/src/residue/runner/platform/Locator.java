package residue.runner.platform;

/**
 * Where a test is found again: the class to select, the unique id, and for a test that registers
 * itself only at run time the container that does so and its place among all that this container
 * registered when it was listed.
 */
final class Locator {
    private static final char SEPARATOR = '\t';

    /** The class whose selection yields the test; empty if it has none and is selected by unique id. */
    final String selectedClass;
    final String uniqueId;
    /** What discovery knows: the test itself, or the container that registers it at run time. */
    final String discovered;
    /** StatePath among the tests that {@link #discovered} registers, from 0. */
    final int place;
    /** How many tests {@link #discovered} registers. */
    final int siblings;

    private Locator(String selectedClass, String uniqueId, String discovered, int place, int siblings) {
        this.selectedClass = selectedClass;
        this.uniqueId = uniqueId;
        this.discovered = discovered;
        this.place = place;
        this.siblings = siblings;
    }

    static Locator discovered(String selectedClass, String uniqueId) {
        return new Locator(selectedClass, uniqueId, uniqueId, 0, 1);
    }

    static Locator registered(
            String selectedClass, String uniqueId, String container, int place, int siblings) {
        return new Locator(selectedClass, uniqueId, container, place, siblings);
    }

    static Locator parse(String text) {
        int first = text.indexOf(SEPARATOR);
        int second = text.indexOf(SEPARATOR, first + 1);
        String selectedClass = text.substring(0, first);
        if (second < 0) {
            return discovered(selectedClass, text.substring(first + 1));
        }
        int third = text.indexOf(SEPARATOR, second + 1);
        int fourth = text.indexOf(SEPARATOR, third + 1);
        String uniqueId = text.substring(fourth + 1);
        int containerLength = Integer.parseInt(text.substring(third + 1, fourth));
        return registered(
                selectedClass,
                uniqueId,
                uniqueId.substring(0, containerLength),
                Integer.parseInt(text.substring(first + 1, second)),
                Integer.parseInt(text.substring(second + 1, third)));
    }

    boolean isRegisteredAtRunTime() {
        return !discovered.equals(uniqueId);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(selectedClass).append(SEPARATOR);
        if (isRegisteredAtRunTime()) {
            text.append(place).append(SEPARATOR).append(siblings).append(SEPARATOR);
            text.append(discovered.length()).append(SEPARATOR);
        }
        return text.append(uniqueId).toString();
    }
}
