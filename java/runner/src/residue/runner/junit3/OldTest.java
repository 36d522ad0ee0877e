package residue.runner.junit3;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import junit.framework.Test;

/** A node of the tree of {@code junit.framework.Test} objects that a root class yields. */
final class OldTest {
    enum Kind {
        /** Runs as one test. */
        LEAF,
        /** Groups tests and does nothing else, so that a group may leave and enter it at will. */
        PLAIN_SUITE,
        /** Does something before and after its tests: a decorator, or a suite with a run of its own. */
        FIXTURE,
        /** One of the rounds in which a repeated test runs what it decorates. */
        ROUND,
        /** A JUnit 4 class in a JUnit 3 suite. */
        ADAPTED
    }

    final Kind kind;
    /** Null for a round. */
    final Test test;
    /** Distinguishes this node from its siblings, the same in every JVM. */
    final String step;
    /** Name of the nearest suite, which tells where a warning comes from. */
    final String suiteName;
    final List<OldTest> children = new ArrayList<OldTest>();
    private Map<String, OldTest> byStep;

    OldTest(Kind kind, Test test, String step, String suiteName) {
        this.kind = kind;
        this.test = test;
        this.step = step;
        this.suiteName = suiteName;
    }

    /** Null if there is none. */
    OldTest child(String childStep) {
        if (byStep == null) {
            byStep = new HashMap<String, OldTest>();
            for (OldTest child : children) {
                byStep.put(child.step, child);
            }
        }
        return byStep.get(childStep);
    }
}
