package residue.runner.testng;

import java.util.List;

/** Where a test is found again: suite, classes to select, method, and which of its invocations. */
final class Locator {
    /** Why one method has several invocations, and so how one of them is selected. */
    enum Repeat {
        /** It has just one. */
        NONE,
        /** Rows of a data provider. */
        ROWS,
        /** {@code invocationCount}. */
        COUNT
    }

    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 12;

    final Origin origin;
    /** The classes whose selection makes TestNG create the instance: its own, or its factories. */
    final List<SelectedClass> selectedClasses;
    final Place place;
    final MethodKey key;
    /** Whether the class has no other instance; then TestNG's own order is the same in every JVM. */
    final boolean isSoleInstance;
    final Repeat repeat;
    /** Which invocation, from 0. */
    final int invocation;
    /** How many invocations the method had when it was listed. */
    final int invocations;

    Locator(
            Origin origin,
            List<SelectedClass> selectedClasses,
            Place place,
            MethodKey key,
            boolean isSoleInstance,
            Repeat repeat,
            int invocation,
            int invocations) {
        this.origin = origin;
        this.selectedClasses = selectedClasses;
        this.place = place;
        this.key = key;
        this.isSoleInstance = isSoleInstance;
        this.repeat = repeat;
        this.invocation = invocation;
        this.invocations = invocations;
    }

    static Locator parse(String text) {
        String[] fields = text.split(SEPARATOR, -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    "`" + text + "` does not locate a TestNG test; list the suite again");
        }
        boolean isSoleInstance = fields[8].isEmpty();
        int instance = isSoleInstance ? 0 : Integer.parseInt(fields[8]);
        return new Locator(
                new Origin(fields[0], fields[1], fields[2]),
                SelectedClass.parseAll(fields[3]),
                Place.parse(fields[4]),
                new MethodKey(fields[5], fields[6], fields[7], instance),
                isSoleInstance,
                Repeat.valueOf(fields[9]),
                Integer.parseInt(fields[10]),
                Integer.parseInt(fields[11]));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(origin.file).append(SEPARATOR).append(origin.suite).append(SEPARATOR);
        text.append(origin.test).append(SEPARATOR);
        text.append(SelectedClass.format(selectedClasses)).append(SEPARATOR).append(place);
        text.append(SEPARATOR).append(key.className).append(SEPARATOR).append(key.method);
        text.append(SEPARATOR).append(key.parameterTypes).append(SEPARATOR);
        text.append(isSoleInstance ? "" : String.valueOf(key.instance));
        text.append(SEPARATOR).append(repeat).append(SEPARATOR).append(invocation);
        return text.append(SEPARATOR).append(invocations).toString();
    }
}
