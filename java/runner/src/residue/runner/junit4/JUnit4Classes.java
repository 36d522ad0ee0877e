package residue.runner.junit4;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.Test;
import org.junit.runner.RunWith;
import residue.runner.junit3.JUnit3Classes;

/** Which classes are JUnit 4 tests: those that Surefire takes for such. */
final class JUnit4Classes {
    private final JUnit3Classes junit3 = new JUnit3Classes();

    boolean include(Class<?> candidate) {
        if (Modifier.isAbstract(candidate.getModifiers()) || junit3.include(candidate)) {
            return false;
        }
        return candidate.isAnnotationPresent(RunWith.class)
                || junit.framework.Test.class.isAssignableFrom(candidate)
                || hasTestMethod(candidate);
    }

    private static boolean hasTestMethod(Class<?> candidate) {
        for (Class<?> type = candidate; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    return true;
                }
            }
        }
        return false;
    }
}
