package residue.runner.junit3;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import junit.framework.Test;
import junit.framework.TestCase;

/**
 * Which classes are JUnit 3 tests. With JUnit 4 on the class path some of them are left to it, as
 * its own default runner does: those with a runner or an {@code @Ignore}.
 */
public final class JUnit3Classes {
    private static final String ALL_TESTS = "org.junit.runners.AllTests";

    private final Class<? extends Annotation> runWith;
    private final Class<? extends Annotation> ignore;

    public JUnit3Classes() {
        runWith = annotationOrNull("org.junit.runner.RunWith");
        ignore = annotationOrNull("org.junit.Ignore");
    }

    public boolean include(Class<?> candidate) {
        if (Modifier.isAbstract(candidate.getModifiers()) || has(ignore, candidate)) {
            return false;
        }
        if (has(runWith, candidate)) {
            return usesAllTests(candidate) && suiteMethod(candidate) != null;
        }
        if (suiteMethod(candidate) != null || TestCase.class.isAssignableFrom(candidate)) {
            return true;
        }
        return !isJUnit4Present()
                && (Test.class.isAssignableFrom(candidate) || PlainClassSuite.accepts(candidate));
    }

    boolean isJUnit4Present() {
        return runWith != null;
    }

    /** The {@code public static Test suite()} of a class, or null. */
    static Method suiteMethod(Class<?> candidate) {
        try {
            Method method = candidate.getMethod("suite");
            boolean fits =
                    Modifier.isStatic(method.getModifiers())
                            && Test.class.isAssignableFrom(method.getReturnType());
            return fits ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private boolean usesAllTests(Class<?> candidate) {
        String annotation = candidate.getAnnotation(runWith).toString();
        return annotation.contains(ALL_TESTS);
    }

    private static boolean has(Class<? extends Annotation> annotationOrNull, Class<?> candidate) {
        return annotationOrNull != null && candidate.isAnnotationPresent(annotationOrNull);
    }

    private static Class<? extends Annotation> annotationOrNull(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader())
                    .asSubclass(Annotation.class);
        } catch (ClassNotFoundException notJUnit4) {
            return null;
        }
    }
}
