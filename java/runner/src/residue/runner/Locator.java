package residue.runner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where a test stands in the tree that its root class yields: the root, then one step for each
 * level. The steps are names that stay the same between JVMs, not positions in a method order that
 * may change.
 */
public final class Locator {
    private static final char SEPARATOR = '\n';

    public final String root;
    /** Empty if the root itself is the test. */
    public final List<String> steps;

    public Locator(String root, List<String> steps) {
        this.root = root;
        this.steps = steps;
    }

    public static Locator root(String root) {
        return new Locator(root, Collections.<String>emptyList());
    }

    public static Locator parse(String text) {
        int end = text.indexOf(SEPARATOR);
        if (end < 0) {
            return root(text);
        }
        List<String> steps = new ArrayList<String>(4);
        int start = end + 1;
        for (int next = text.indexOf(SEPARATOR, start); next >= 0; ) {
            steps.add(text.substring(start, next));
            start = next + 1;
            next = text.indexOf(SEPARATOR, start);
        }
        steps.add(text.substring(start));
        return new Locator(text.substring(0, end), steps);
    }

    public Locator child(String step) {
        List<String> longer = new ArrayList<String>(steps.size() + 1);
        longer.addAll(steps);
        longer.add(step.replace(SEPARATOR, ' '));
        return new Locator(root, longer);
    }

    /** The same test seen from {@code levels} further down. */
    public Locator below(int levels) {
        return new Locator(root, steps.subList(levels, steps.size()));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(root);
        for (String step : steps) {
            text.append(SEPARATOR).append(step);
        }
        return text.toString();
    }
}
