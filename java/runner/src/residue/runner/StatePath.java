package residue.runner;

import java.util.ArrayList;
import java.util.List;

/**
 * A way to shared state that is to be put back, as traces name it: a system property, or from a
 * static field on.
 */
public final class StatePath {
    /** Into a field of an object, or, without a class, into elements of an array. */
    static final class Step {
        final String className;
        final String fieldName;
        final int first;
        final int last;

        private Step(String className, String fieldName, int first, int last) {
            this.className = className;
            this.fieldName = fieldName;
            this.first = first;
            this.last = last;
        }

        boolean isIntoArray() {
            return className == null;
        }
    }

    /** Position of a test. */
    final int putBackBefore;
    /** Null for a system property. */
    final String className;
    /** Of the static field, or the key of the property. */
    final String name;
    final List<Step> steps = new ArrayList<Step>();

    private StatePath(int putBackBefore, String className, String name) {
        this.putBackBefore = putBackBefore;
        this.className = className;
        this.name = name;
    }

    /**
     * The first step, from this one on, that leads out of the JDK's own objects into one of somebody
     * else.
     *
     * @return -1 if none does
     */
    int stepIntoElement(int from) {
        for (int step = from; step < steps.size(); step++) {
            String owner = steps.get(step).className;
            if (owner != null && !owner.startsWith("java.")) {
                return step;
            }
        }
        return -1;
    }

    public static StatePath property(int putBackBefore, String key) {
        return new StatePath(putBackBefore, null, key);
    }

    public static StatePath staticField(int putBackBefore, String className, String fieldName) {
        return new StatePath(putBackBefore, className, fieldName);
    }

    public void intoField(String className, String fieldName) {
        steps.add(new Step(className, fieldName, 0, 0));
    }

    public void intoElements(int first, int last) {
        steps.add(new Step(null, null, first, last));
    }
}
