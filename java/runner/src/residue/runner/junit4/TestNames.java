package residue.runner.junit4;

import java.lang.reflect.Method;

/**
 * Takes JUnit's display names apart: {@code method(class)} for a test, any text for a container.
 * All versions have display names; the accessors for their parts came with 4.6.
 */
final class TestNames {
    private TestNames() {}

    /** The part before the class, or null if the name is not of the form {@code method(class)}. */
    static String methodOf(String displayName) {
        int open = openingOf(displayName);
        return open < 0 ? null : displayName.substring(0, open);
    }

    /** The class, or null if the name is not of the form {@code method(class)}. */
    static String classOf(String displayName) {
        int open = openingOf(displayName);
        return open < 0 ? null : displayName.substring(open + 1, displayName.length() - 1);
    }

    /** A class name has no parentheses, so the last opening one is where it starts. */
    private static int openingOf(String displayName) {
        int open = displayName.endsWith(")") ? displayName.lastIndexOf('(') : -1;
        return open <= 0 || open == displayName.length() - 2 ? -1 : open;
    }

    /** Whether a container is one of the parameter sets of a class, named in brackets. */
    static boolean isParameterSet(String containerName) {
        return containerName.startsWith("[");
    }

    /** The method without the name of its parameter set, which JUnit appends. */
    static String withoutParameterSet(String method, String containerName) {
        boolean appended = isParameterSet(containerName) && method.endsWith(containerName);
        return appended ? method.substring(0, method.length() - containerName.length()) : method;
    }

    /**
     * The method of which a test is one invocation, or null. Runners of third parties append
     * argument values to the method; those may print with hash codes or times, so that nothing of
     * them may go into an id.
     */
    static String invokedMethod(String test, String className) {
        int end = 0;
        while (end < test.length() && Character.isJavaIdentifierPart(test.charAt(end))) {
            end++;
        }
        if (end == 0 || end == test.length()) {
            return null;
        }
        String prefix = test.substring(0, end);
        return hasMethod(className, prefix) && !hasMethod(className, test) ? prefix : null;
    }

    /** The number in {@code method[2: arguments]}, or -1. */
    static int numberAfter(String method, String test) {
        int digit = method.length() + 1;
        if (test.charAt(method.length()) != '[' || digit == test.length()) {
            return -1;
        }
        int number = -1;
        for (; digit < test.length() && digit < method.length() + 9; digit++) {
            char c = test.charAt(digit);
            if (c < '0' || c > '9') {
                break;
            }
            number = Math.max(number, 0) * 10 + (c - '0');
        }
        return number;
    }

    private static boolean hasMethod(String className, String methodName) {
        try {
            Class<?> type = Class.forName(className, false, ClassLoader.getSystemClassLoader());
            for (; type != null; type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(methodName)) {
                        return true;
                    }
                }
            }
        } catch (ClassNotFoundException notAClass) {
            return false;
        } catch (LinkageError unusable) {
            return false;
        }
        return false;
    }
}
