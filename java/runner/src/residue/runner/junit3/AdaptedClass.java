package residue.runner.junit3;

import junit.framework.JUnit4TestAdapter;
import junit.framework.Test;

/** The only code here that names JUnit 4's adapter, which JUnit 3.8 does not have. */
final class AdaptedClass {
    private AdaptedClass() {}

    static Class<?> of(Test adapter) {
        return ((JUnit4TestAdapter) adapter).getTestClass();
    }
}
