package residue.runner.junit3;

import java.lang.reflect.Field;
import java.util.Vector;
import junit.extensions.TestDecorator;
import junit.framework.Test;
import junit.framework.TestSuite;

/**
 * Exchanges what a decorator or a suite runs, so that its own set-up and tear-down run around the
 * tests of an order. The fields have had these names since JUnit 3.8 and in all of JUnit 4.
 */
final class Inner {
    private Inner() {}

    static void set(Test fixture, Test inner) throws ReflectiveOperationException {
        if (fixture instanceof TestDecorator) {
            field(TestDecorator.class, "fTest").set(fixture, inner);
        } else {
            Vector<Test> tests = new Vector<Test>();
            tests.add(inner);
            field(TestSuite.class, "fTests").set(fixture, tests);
        }
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
